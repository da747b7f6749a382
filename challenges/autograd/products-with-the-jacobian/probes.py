"""Runs both functions next to your answer, where calls, backward passes and .grad fields can be watched."""

import torch
from torch import Tensor


class Counted(torch.autograd.Function):
    """Three times its input; counts how often backward goes through it, in a list that is passed."""

    @staticmethod
    def forward(ctx, h: Tensor, passes: list) -> Tensor:
        ctx.passes = passes
        return 3 * h

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple:
        ctx.passes.append(1)
        return 3 * grad, None


def of_kind(value: Tensor, kind: str) -> tuple[Tensor, Tensor]:
    """A tensor to hand over, and the leaf behind it. kind: it is plain, a leaf with a gradient, or computed."""
    base = value.clone().requires_grad_(kind != "plain")
    if kind == "leaf":
        base.grad = torch.full_like(base, 5.0)
    return (base * 1 if kind == "computed" else base), base


def kept(base: Tensor, kind: str) -> bool:
    """Whether the .grad of the leaf is as it was."""
    return base.grad is None if kind != "leaf" else base.grad is not None and bool((base.grad == 5).all())


def watched(solution, which: str, x: Tensor, other: Tensor, weight: Tensor, kind: str = "plain") -> dict:
    """One call with f(x) = sin(3x) @ weight, where weight is a leaf. kind: what x, and the weights or the direction, are."""
    learned = weight.clone().requires_grad_()
    calls, passes = [], []

    def f(h: Tensor) -> Tensor:
        calls.append(1)
        return torch.sin(Counted.apply(h, passes)) @ learned

    (given, base), (given_other, base_other) = of_kind(x, kind), of_kind(other, kind)
    before = (given.requires_grad, given.is_leaf)
    result = getattr(solution, which)(f, given, given_other)
    return {
        "result": result,
        "data": not result.requires_grad,
        "same": before == (given.requires_grad, given.is_leaf),
        "same_other": before == (given_other.requires_grad, given_other.is_leaf) and torch.equal(given_other, other),
        "kept": kept(base, kind),
        "kept_other": kept(base_other, kind),
        "empty": learned.grad is None,
        "calls": len(calls),
        "passes": len(passes),
        "x": given.detach(),
    }
