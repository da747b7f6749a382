"""Defines saboteurs that change what the reference returns.

The text of this file runs in the cell; the gate does not import it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from grader.content.authoring.sabotage.noticing import noise, same, seen

Change = Callable[[Any], Any]


def mapped(change: Change, value: Any, alike: Callable[[Any, Any], bool]) -> Any:
    """Return a copy of a result with `change` applied to every tensor and number. If the result is an iterator, each item is
    changed when it is consumed.

    `alike(old, new)` returns True if no test could notice the difference between a value and its changed version.
    """
    if isinstance(value, Iterator):
        return (mapped(change, item, alike) for item in value)
    if isinstance(value, list | tuple) and any(isinstance(item, Tensor | list | tuple | dict) for item in value):
        items = [mapped(change, item, alike) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: mapped(change, item, alike) for key, item in value.items()}
    new = change(value)
    if not alike(value, new):
        seen()
    return new


def differs(change: Change, value: Any, *, exact: bool) -> bool:
    """Return whether `mapped` would change a value. With `exact`, a new object counts as a change even if its numbers are the
    same.
    """
    if isinstance(value, list | tuple) and any(isinstance(item, Tensor | list | tuple | dict) for item in value):
        return any(differs(change, item, exact=exact) for item in value)
    if isinstance(value, dict):
        return any(differs(change, item, exact=exact) for item in value.values())
    new = change(value)
    return new is not value if exact else not same(value, new)


def numbers(change: Change, value: Any) -> Any:
    """Apply `change` to a Python number, or to the numbers in a list or tuple."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(numbers(change, item) for item in value)
    return change(value) if isinstance(value, int | float) else value


def is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def floats(tensor: Change, number: Change | None = None) -> Change:
    """Return a function that applies `tensor` to floating-point tensors and `number`, if given, to Python floats."""

    def change(value: Any) -> Any:
        if isinstance(value, Tensor):
            return tensor(value) if is_float(value) else value
        return numbers(lambda n: number(n) if number and isinstance(n, float) else n, value)

    return change


def everything(tensor: Change, number: Change) -> Change:
    """Return a function that applies `tensor` to all tensors and `number` to all Python numbers."""
    return lambda value: tensor(value) if isinstance(value, Tensor) else numbers(lambda n: type(n)(number(n)), value)


def rows(cut: Change) -> Change:
    """Return a function that applies `cut` to tensors, lists and tuples that have at least one row or item."""

    def change(value: Any) -> Any:
        if isinstance(value, Tensor):
            return cut(value) if value.dim() and len(value) else value
        return cut(value) if type(value) in (list, tuple) and value else value

    return change


def _noisy(t: Tensor) -> Tensor:
    size = t.detach().abs().nan_to_num(0.0, 1.0, 1.0).mean() if t.numel() else 1.0
    return t + 1e-3 * size * torch.randn(t.shape, generator=noise).to(t.dtype)


def _off_by_one(t: Tensor) -> Tensor:
    if t.dtype is torch.bool:
        return ~t
    return t if t.is_floating_point() or t.is_complex() else t + 1


VALUES: dict[str, Change] = {
    "float64-output": floats(lambda t: t.double()),
    "float32-output": floats(lambda t: t.float().to(t.dtype) if t.dtype is torch.float64 else t),
    "half-precision": floats(lambda t: t.half().to(t.dtype)),
    "int32-output": lambda v: v.int() if isinstance(v, Tensor) and v.dtype is torch.int64 else v,
    "scaled-output": floats(lambda t: t * (1 + 1e-3), lambda n: n * (1 + 1e-3)),
    "noisy-output": floats(_noisy, lambda n: n + 1e-3 * n),
    "zeros": everything(torch.zeros_like, lambda n: 0),
    "ones": everything(torch.ones_like, lambda n: 1),
    "off-by-one": everything(_off_by_one, lambda n: n if isinstance(n, float) else n + 1 if n is not True else 0),
    "last-row-missing": rows(lambda v: v[:-1]),
    "last-row-twice": rows(lambda v: torch.cat([v, v[-1:]]) if isinstance(v, Tensor) else [*v, v[-1]]),
    "rows-reversed": rows(lambda v: v.flip(0) if isinstance(v, Tensor) else v[::-1]),
    "columns-rolled": lambda v: v.roll(1, -1) if isinstance(v, Tensor) and v.dim() > 1 and v.numel() else v,
    "nan-swallowed": floats(lambda t: torch.where(t.isnan(), 0.0, t) if t.isnan().any() else t),
    "clamped-output": floats(lambda t: t.clamp(-1e4, 1e4), lambda n: max(-1e4, min(1e4, n))),
}


class _Half(torch.autograd.Function):
    @staticmethod
    def forward(_ctx: Any, x: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(_ctx: Any, *gradients: Tensor) -> Any:
        return gradients[0] * 0.5


def _halved(value: Any) -> Any:
    if not isinstance(value, Tensor) or not value.requires_grad:
        return value
    return _Half.apply(value)  # type: ignore[no-untyped-call]


def _leaky(value: Any) -> Any:
    if not is_float(value) or value.requires_grad or not torch.is_grad_enabled() or value.is_inference():
        return value
    return value.detach().clone().requires_grad_()


# Changes to the autograd graph. They leave all numbers equal, so comparing numbers cannot show whether such a change did
# anything. A value counts as changed if the function returns another object.
GRAPHS: dict[str, Change] = {
    "detached-output": lambda v: v.detach() if isinstance(v, Tensor) and v.requires_grad else v,
    "halved-gradient": _halved,
    "leaked-gradient": _leaky,
}
