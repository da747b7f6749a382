"""Models of several kinds, and what freezing does to them."""

import torch
from torch import Tensor, nn


class Tied(nn.Module):
    """An embedding whose weight is the output layer's as well; a parameter that stands directly in the model."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))
        self.embed = nn.Embedding(7, 4)
        self.body = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4, bias=False)])
        self.out = nn.Linear(4, 7)
        self.out.weight = self.embed.weight

    def forward(self, x: Tensor) -> Tensor:
        x = self.embed(x)
        for layer in self.body:
            x = layer(x).tanh()
        return self.scale * self.out(x)


class Nested(nn.Module):
    """Names that begin alike, a batch norm with buffers, a module without parameters, and two levels of nesting."""

    def __init__(self) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Sequential(nn.Linear(4, 4)))
        self.act = nn.Identity()
        self.enc2 = nn.Linear(4, 3)
        self.Head = nn.Linear(3, 2)
        self.head = nn.ModuleDict({"0": nn.Linear(2, 2), "01": nn.Linear(2, 2, bias=False)})

    def forward(self, x: Tensor) -> Tensor:
        x = self.Head(self.enc2(self.act(self.enc(x))))
        return self.head["01"](self.head["0"](x))


class Mixed(nn.Module):
    """Parameters of several dtypes, one of them empty."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.ones(3, 2, dtype=torch.float64))
        self.b = nn.Parameter(torch.ones(5, dtype=torch.bfloat16))
        self.none = nn.Parameter(torch.ones(0, 4))


MODELS = {
    "tied": Tied,
    "nested": Nested,
    "mixed": Mixed,
    "empty": nn.Identity,
    "hollow": lambda: nn.ParameterList([torch.ones(0)]),
}


def made(kind: str) -> nn.Module:
    """A model with gradients left on every parameter by an earlier step."""
    torch.manual_seed(1)
    model = MODELS[kind]()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    return model


def flags(model: nn.Module) -> tuple[dict, dict]:
    """requires_grad, and whether there is a gradient, by all names."""
    named = list(model.named_parameters(remove_duplicate=False))
    return {n: p.requires_grad for n, p in named}, {n: p.grad is not None for n, p in named}


def freeze(solution, kind: str, calls: list[list[str]]) -> dict:
    """All calls of freeze_ on one model: their results ("ValueError" if raised), and what is left."""
    model = made(kind)
    before = {n: t.detach().clone() for n, t in model.state_dict().items()}
    objects = [id(p) for p in model.parameters()]
    results, given = [], [list(patterns) for patterns in calls]
    for patterns in calls:
        try:
            results.append(solution.freeze_(model, patterns))
        except ValueError:
            results.append("ValueError")
    requires, has = flags(model)
    state = model.state_dict()
    same = objects == [id(p) for p in model.parameters()] and all(torch.equal(state[n], t) for n, t in before.items())
    return {
        "results": results,
        "requires": requires,
        "has": has,
        "same": same and calls == given and all(m.training for m in model.modules()),
        "share": solution.frozen_share(model),
    }


def share(solution, kind: str, frozen: list[str]) -> float:
    """frozen_share after requires_grad was switched off by hand, by parameter name."""
    model = made(kind)
    for name in frozen:
        model.get_parameter(name).requires_grad_(False)
    return solution.frozen_share(model)


def backward(solution, kind: str, patterns: list[str], x: Tensor, prefix: str) -> dict:
    """One backward pass after freezing: the gradients by name, and whether the prefix's output has a graph."""
    model, seen = made(kind).eval(), []
    solution.freeze_(model, patterns)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.grad = None
    if prefix:
        model.get_submodule(prefix).register_forward_hook(lambda _m, _i, out: seen.append(out.requires_grad))
    model(x).square().sum().backward()
    return {"gradients": {n: p.grad for n, p in model.named_parameters() if p.grad is not None}, "recorded": seen}
