"""Runs both functions next to your answer, where flags, modes and .grad fields can be watched."""

import torch
from torch import Tensor, nn


class Net(nn.Module):
    """Two layers over flattened rows, with batch norm, whose evaluation mode keeps rows apart."""

    def __init__(self, weights: list[Tensor]) -> None:
        super().__init__()
        first, second = weights
        self.first = nn.Linear(first.shape[1], first.shape[0])
        self.norm = nn.BatchNorm1d(first.shape[0])
        self.second = nn.Linear(second.shape[1], second.shape[0], bias=False)
        self.to(first.dtype).eval()
        with torch.no_grad():
            self.first.weight.copy_(first)
            self.first.bias.fill_(0.1)
            self.second.weight.copy_(second)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(torch.tanh(self.norm(self.first(x.flatten(1)))))


class Louder(nn.Module):
    """Twice its input in training mode."""

    def forward(self, x: Tensor) -> Tensor:
        return 2 * x if self.training else x


def saliency_in_modes(solution, weights: list[Tensor], x: Tensor) -> dict:
    """input_saliency of a model in training mode with a Net in evaluation mode."""
    model = nn.Sequential(Net(weights), Louder()).train()
    model[0].eval()
    before = [module.training for module in model.modules()]
    result = solution.input_saliency(model, x)
    return {"result": result, "same": [module.training for module in model.modules()] == before}


def same_as(grad: Tensor | None, value: float | None) -> bool:
    """Whether a gradient is there with this value everywhere, or is None if there should be none."""
    return grad is None if value is None else grad is not None and bool((grad == value).all())


def saliency(
    solution, weights: list[Tensor], x: Tensor, kind: str = "plain", frozen: str = "", recording: bool = True
) -> dict:
    """input_saliency of a Net. kind: x is plain, a leaf that requires a gradient, or the result of a computation."""
    model = Net(weights)
    for name, p in model.named_parameters():
        p.requires_grad_(not (frozen and name.startswith(frozen)))
    base = x.clone().requires_grad_(kind != "plain")
    given = base if kind != "computed" else base * 1
    first = model.second.weight
    learns = first.requires_grad
    first.grad = torch.full_like(first, 7.0) if learns else None
    if kind == "leaf":
        base.grad = torch.full_like(base, 5.0)
    before = (given.requires_grad, given.is_leaf, [p.requires_grad for p in model.parameters()], model.training)
    with torch.set_grad_enabled(recording):
        result = solution.input_saliency(model, given)
        mode = torch.is_grad_enabled()
    after = (given.requires_grad, given.is_leaf, [p.requires_grad for p in model.parameters()], model.training)
    others = [p.grad for p in model.parameters() if p is not first]
    return {
        "result": result,
        "data": not result.requires_grad,
        "same": before == after and mode == recording,
        "empty": all(g is None for g in others) and (kind == "leaf" or base.grad is None),
        "kept": same_as(first.grad, 7.0 if learns else None) and (kind != "leaf" or same_as(base.grad, 5.0)),
        "x": given.detach(),
    }


def scores(solution, weights: list[Tensor], x: Tensor) -> Tensor:
    """The scores of the Net, without your answer."""
    with torch.no_grad():
        return Net(weights)(x)


def chain(solution, weight: Tensor, x: Tensor, kind: str = "plain", recording: bool = True) -> dict:
    """intermediate_grads of scale, sine, matrix product and cube, whose weight is a leaf."""
    learned = weight.clone().requires_grad_()
    calls = []

    def noted(name, f):
        def call(h: Tensor) -> Tensor:
            calls.append(name)
            return f(h)

        return call

    fns = [
        noted("scale", lambda h: 2 * h),
        noted("sine", torch.sin),
        noted("product", lambda h: h @ learned),
        noted("cube", lambda h: h**3),
    ]
    base = x.clone().requires_grad_(kind != "plain")
    given = base if kind != "computed" else base * 1
    before = (given.requires_grad, given.is_leaf)
    with torch.set_grad_enabled(recording):
        result = solution.intermediate_grads(fns, given)
        mode = torch.is_grad_enabled()
    return {
        "result": result,
        "list": type(result) is list,
        "data": not any(g.requires_grad for g in result),
        "same": before == (given.requires_grad, given.is_leaf) and mode == recording,
        "empty": learned.grad is None and base.grad is None,
        "calls": calls,
        "x": given.detach(),
    }
