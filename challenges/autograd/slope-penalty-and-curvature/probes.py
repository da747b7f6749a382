"""Runs both functions next to your answer, where critics and functions can be watched."""

import torch
from torch import Tensor, nn


class Quadratic(nn.Module):
    """Scores of a sample s: s·A s / 2 + b·s, so its slope is (A + A^T) s / 2 + b. flat: the scores have shape (B,)."""

    def __init__(self, matrix: Tensor, bias: Tensor, flat: bool) -> None:
        super().__init__()
        self.matrix, self.bias = nn.Parameter(matrix.clone()), nn.Parameter(bias.clone())
        self.flat, self.calls = flat, 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        rows = x.flatten(1)
        scores = ((rows @ self.matrix) * rows).sum(1) / 2 + rows @ self.bias
        return scores if self.flat else scores[:, None]


def penalty(
    solution,
    matrix: Tensor,
    bias: Tensor,
    real: Tensor,
    fake: Tensor,
    alpha: Tensor,
    flat: bool = False,
    constant: bool = False,
) -> dict:
    """The penalty of a quadratic critic, its gradients, and what happened to everything else. constant: the samples and the
    bias of the critic require no gradient.
    """
    critic = Quadratic(matrix, bias, flat)
    for p in critic.parameters():
        p.grad = torch.full_like(p, 7.0)
    critic.bias.requires_grad_(not constant)
    sources = [t.clone().requires_grad_(not constant) for t in (real, fake, alpha)]
    given = [t * 1 for t in sources]
    flags = [t.requires_grad for t in (*given, *critic.parameters())]
    found = solution.gradient_penalty(critic, *given)
    kept = all(bool((p.grad == 7).all()) for p in critic.parameters()) and all(t.grad is None for t in sources)
    for p in critic.parameters():
        p.grad = None
    recorded = found.requires_grad
    if recorded:
        found.backward()
    return {
        "value": found.detach(),
        "recorded": recorded,
        "grads": [torch.zeros_like(p) if p.grad is None else p.grad for p in critic.parameters()],
        "kept": kept,
        "cut": all(t.grad is None for t in sources),
        "calls": critic.calls,
        "flags": flags == [t.requires_grad for t in (*given, *critic.parameters())],
        "values": all(map(torch.equal, (*given, *critic.parameters()), (real, fake, alpha, matrix, bias))),
    }


class Counted(torch.autograd.Function):
    """Its input; counts how often backward goes through it, in a list that is passed."""

    @staticmethod
    def forward(ctx, h: Tensor, passes: list) -> Tensor:
        ctx.passes = passes
        return h.clone()

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple:
        ctx.passes.append(1)
        return grad, None


FUNCTIONS = {
    "cubic": lambda x, w: (w * x**3).sum() + x.sum() ** 2,
    "coupled": lambda x, w: (x.flatten() @ w.flatten()) ** 3,
    "linear": lambda x, w: (w * x).sum(),
    "linear-without-weight": lambda x, w: (3 * x).sum(),
    "weight-only": lambda x, w: (w * w).sum(),
    "constant": lambda x, w: torch.tensor(2.0, dtype=x.dtype),
    "first-only": lambda x, w: (w.flatten()[0] * x.flatten()[0]) ** 2,
    "exp": lambda x, w: (w * x).sum().exp(),
}


def of_kind(value: Tensor, how: str) -> tuple[Tensor, Tensor]:
    """A tensor to hand over, and the leaf behind it. how: it is plain, a leaf with a gradient, or computed."""
    base = value.clone().requires_grad_(how != "plain")
    if how == "leaf":
        base.grad = torch.full_like(base, 5.0)
    return (base * 1 if how == "computed" else base), base


def kept(base: Tensor, how: str) -> bool:
    """Whether the .grad of the leaf is as it was."""
    return base.grad is None if how != "leaf" else base.grad is not None and bool((base.grad == 5).all())


def curvature(solution, kind: str, x: Tensor, v: Tensor, w: Tensor, how: str = "plain") -> dict:
    """hvp of a function with a learned weight. how: what x and v are."""
    weight, calls, passes = w.clone().requires_grad_(), [], []

    def f(h: Tensor) -> Tensor:
        calls.append(1)
        return FUNCTIONS[kind](Counted.apply(h, passes) if h.requires_grad else h, weight)

    (given, base), (given_v, base_v) = of_kind(x, how), of_kind(v, how)
    before = (given.requires_grad, given.is_leaf)
    found = solution.hvp(f, given, given_v)
    return {
        "result": found,
        "data": not found.requires_grad,
        "kept": kept(base, how) and kept(base_v, how),
        "empty": weight.grad is None,
        "same": all(before == (t.requires_grad, t.is_leaf) for t in (given, given_v))
        and torch.equal(given, x)
        and torch.equal(given_v, v),
        "calls": len(calls),
        "passes": len(passes),
    }
