"""Finds out whether a test could notice a saboteur's change, by comparing values and following gradients.

The text of this file runs in the cell; the gate does not import it.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

SEEN = 77
_marking = [False]
noise = torch.Generator().manual_seed(5)


def mark() -> None:
    """From now on, make the process exit at the first change that a test could notice. Only marked twins (see saboteurs.py)
    call this function.
    """
    _marking[0] = True


def marking() -> bool:
    """Return whether `mark` was called."""
    return _marking[0]


def seen() -> None:
    """Report that a test could notice the saboteur's change. Ends the process if `mark` was called; otherwise does nothing."""
    if marking():
        os._exit(SEEN)


def tensors_in(value: Any, deep: int = 4) -> Iterator[Tensor]:
    """Yield the tensors in a value, including those in containers, modules and plain objects, down to `deep` levels of
    nesting.
    """
    if isinstance(value, Tensor):
        yield value
        return
    if deep:
        for item in _parts(value):
            yield from tensors_in(item, deep - 1)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, nn.Module):
        return [*value.parameters(), *value.buffers()]
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple):
        return value
    return list(vars(value).values()) if hasattr(value, "__dict__") and not isinstance(value, type) else ()


def same(a: Any, b: Any) -> bool:
    """Return whether two values look the same to a test. Types, shapes, dtypes, requires_grad and all numbers must be equal."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        if (a.shape, a.dtype, a.requires_grad) != (b.shape, b.dtype, b.requires_grad):
            return False
        if a.is_meta or a is b:
            return True
        a, b = a.detach(), b.detach()
        exact = not (a.is_floating_point() or a.is_complex())
        return torch.equal(a, b) if exact else torch.allclose(a, b, rtol=0, atol=0, equal_nan=True)
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a is b or (isinstance(a, str | int | float | bool) and (a == b or (a != a and b != b)))  # noqa: PLR0124


def reaches(result: Any, source: Tensor) -> bool:
    """Return whether the gradient of a result with respect to the tensor `source` contains a value other than zero."""
    outputs = [t for t in tensors_in(result) if t.requires_grad]
    if not outputs or not source.requires_grad:
        return False
    total = torch.stack([(t * torch.randn(t.shape, generator=noise).to(t)).sum().real.double() for t in outputs]).sum()
    gradient = torch.autograd.grad(total, source, allow_unused=True, retain_graph=True)[0]
    return gradient is not None and bool((gradient != 0).any())
