"""What is known of a module's parameters on the other side, and what has changed since: value, requires_grad, gradient.

Compared by content, not by version: `p.data -= …` leaves no other trace. Used on both sides of the wire.
"""

import weakref
from dataclasses import dataclass
from typing import Any

import torch

Changes = dict[str, Any]
TENSORS = ("v", "g")


@dataclass(frozen=True)
class Known:
    """A parameter as the other side has it (copies, except where the parameter is the only holder)."""

    value: torch.Tensor
    requires_grad: bool
    grad: torch.Tensor | None
    version: int
    holder: weakref.ref[torch.Tensor]


def known(parameter: torch.Tensor) -> Known:
    """The parameter as it is now."""
    grad = None if parameter.grad is None else parameter.grad.detach().clone()
    return Known(parameter.detach().clone(), parameter.requires_grad, grad, parameter._version, weakref.ref(parameter))


def changes(parameter: torch.Tensor, before: Known | None, *, grads: bool = True) -> Changes:
    """What differs from `before`, by the keys v, r and g; everything when nothing was known. Empty if all is equal.

    Key n says that there is another parameter object under the old name; key q that the value was changed behind autograd's
    back (`p.data`), which must stay so on the other side.
    """
    if before is not None and before.holder() is not parameter:
        return {**changes(parameter, None, grads=grads), "n": True}
    found: Changes = {}
    if before is None or not _equal(parameter.detach(), before.value):
        found["v"] = parameter.detach()
        found["q"] = before is not None and parameter._version == before.version
    if before is None or parameter.requires_grad is not before.requires_grad:
        found["r"] = parameter.requires_grad
    if grads and not _equal(parameter.grad, before.grad if before else None):
        found["g"] = None if parameter.grad is None else parameter.grad.detach()
    return found


def apply(parameter: torch.Tensor, found: Changes) -> None:
    """Bring a parameter (or a buffer) to what `changes` found on the other side, in place where its shape allows."""
    if "v" in found:
        value = found["v"]
        if parameter.shape == value.shape and parameter.dtype == value.dtype:
            with torch.no_grad():
                (parameter.data if found.get("q") else parameter).copy_(value)
        else:
            parameter.data = value.clone()
    if "r" in found:
        parameter.requires_grad_(bool(found["r"]))
    if "g" in found:
        parameter.grad = None if found["g"] is None else found["g"].clone()


def _equal(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and one.dtype == other.dtype and bool(torch.equal(one, other))
