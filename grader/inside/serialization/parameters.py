"""Finds changes to a module's parameters that must be sent to the other side: new values, requires_grad and gradients. Used in
the judge and in the cell, each of which has a copy of the parameters.

Values are compared by content and not by version, because `p.data -= …` does not change the version.
"""

import weakref
from typing import Any, NamedTuple

import torch

Changes = dict[str, Any]
TENSORS = ("v", "g")


class Known(NamedTuple):
    """The state of a parameter that the other side received last. `holder` refers to the parameter object itself."""

    value: torch.Tensor
    requires_grad: bool
    grad: torch.Tensor | None
    version: int
    holder: weakref.ref[torch.Tensor]


def known(parameter: torch.Tensor) -> Known:
    """Copy the current state of a parameter."""
    grad = None if parameter.grad is None else parameter.grad.detach().clone()
    return Known(parameter.detach().clone(), parameter.requires_grad, grad, parameter._version, weakref.ref(parameter))


def changes(parameter: torch.Tensor, before: Known | None, *, grads: bool = True) -> Changes:
    """Return what differs from `before`: v (value), r (requires_grad), g (gradient). Without `before`, everything differs.

    The key n means that a new parameter object has replaced the old one under the same name. The key q tells whether the value
    was changed through `p.data`, which does not increase the parameter's version. The other side then uses `p.data` too.
    """
    if before is not None and before.holder() is not parameter:
        return {**changes(parameter, None, grads=grads), "n": True}
    found: Changes = {}
    if before is None or not _equal(parameter, before.value):
        found["v"] = parameter.detach()
        found["q"] = before is not None and parameter._version == before.version
    if before is None or parameter.requires_grad is not before.requires_grad:
        found["r"] = parameter.requires_grad
    if grads and not _equal(parameter.grad, before.grad if before else None):
        found["g"] = None if parameter.grad is None else parameter.grad.detach()
    return found


def apply(parameter: torch.Tensor, found: Changes) -> None:
    """Apply the other side's `changes` to a parameter or buffer, in place if shape and dtype have not changed."""
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
