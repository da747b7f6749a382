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


def watched(solution, which: str, x: Tensor, other: Tensor, weight: Tensor, kind: str = "plain") -> dict:
    """One call with f(x) = sin(3x) @ weight, where weight is a leaf. kind: x is plain, a leaf with a gradient, or computed."""
    learned = weight.clone().requires_grad_()
    calls, passes = [], []

    def f(h: Tensor) -> Tensor:
        calls.append(1)
        return torch.sin(Counted.apply(h, passes)) @ learned

    base = x.clone().requires_grad_(kind != "plain")
    if kind == "leaf":
        base.grad = torch.full_like(base, 5.0)
    given = base * 1 if kind == "computed" else base
    before = (given.requires_grad, given.is_leaf)
    result = getattr(solution, which)(f, given, other.clone())
    return {
        "result": result,
        "data": not result.requires_grad,
        "same": before == (given.requires_grad, given.is_leaf),
        "kept": bool((base.grad == 5).all()) if kind == "leaf" else base.grad is None,
        "empty": learned.grad is None,
        "calls": len(calls),
        "passes": len(passes),
        "x": given.detach(),
    }
