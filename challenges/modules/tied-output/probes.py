"""Looks at live models: which objects they share, and what is left of it after copies, conversions, loads and steps."""

import copy

import torch
from torch import nn


def changed(solution, change: str, state: dict, ids: torch.Tensor) -> dict:
    """A TiedLM after a change: whether one object is in both places, its names, and its values."""
    vocabulary, width = state["embed.weight"].shape
    model = solution.TiedLM(vocabulary, width)
    if change == "copy":
        model = copy.deepcopy(model)
    if change == "convert":
        model = model.to(torch.float64)
    if change == "load":
        model.load_state_dict({name: value.clone() for name, value in state.items()})
    if change in ("sgd", "adam"):
        model.load_state_dict({name: value.clone() for name, value in state.items()})
        kind = torch.optim.SGD if change == "sgd" else torch.optim.Adam
        optimizer = kind(model.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            model(ids).square().mean().backward()
            optimizer.step()
    first, second = model.embed.weight, model.out.weight
    live = model.state_dict()
    return {
        "one_object": first is second,
        "is_parameter": isinstance(first, nn.Parameter) and isinstance(second, nn.Parameter),
        "one_memory": live["embed.weight"].data_ptr() == live["out.weight"].data_ptr(),
        "count": len(list(model.parameters())),
        "keys": sorted(live),
        "state": {name: value.clone() for name, value in live.items()},
    }


class Uneven(nn.Module):
    """A module with a parameter of its own, children, and slots that are empty."""

    def __init__(self) -> None:
        super().__init__()
        self.zeta = nn.Linear(2, 2, bias=False)
        self.alpha = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.ones(2, 2))
        self.missing = None
        self.register_parameter("nothing", None)


def build(kind: str) -> nn.Module:
    """A model, with parameters that are shared or only look so."""
    layer = nn.Linear(2, 2)
    model = Uneven()
    if kind == "tied":
        model.zeta.weight = model.alpha.weight
    if kind == "three":
        model.zeta.weight = model.scale
        model.alpha.weight = model.scale
    if kind == "module":
        model = nn.Sequential(layer, nn.ReLU(), nn.Sequential(nn.Linear(2, 2), layer), layer)
    if kind == "two-groups":
        model.zeta.weight = model.alpha.weight
        model.extra = nn.Linear(2, 2)
        model.extra.bias = model.alpha.bias
    if kind == "frozen":
        model.zeta.weight = model.alpha.weight.requires_grad_(False)
    if kind == "equal":
        model.zeta.weight = nn.Parameter(model.alpha.weight.detach().clone())
    if kind == "memory":
        model.zeta.weight.data = model.alpha.weight.data
    if kind == "buffers":
        table = torch.zeros(3)
        model.zeta.register_buffer("table", table)
        model.alpha.register_buffer("table", table)
    if kind == "empty":
        model = nn.ReLU()
    return model


def names(solution, kind: str) -> dict:
    """What shared_names finds, and whether the model is as it was."""
    model = build(kind)
    listed = list(model.named_parameters(remove_duplicate=False))
    flags = [p.requires_grad for _, p in listed]
    values = [p.detach().clone() for _, p in listed]
    found = solution.shared_names(model)
    after = list(model.named_parameters(remove_duplicate=False))
    same = [name for name, _ in listed] == [name for name, _ in after]
    same = same and all(a is b for (_, a), (_, b) in zip(listed, after, strict=True))
    same = same and flags == [p.requires_grad for _, p in after]
    same = same and all(torch.equal(v, p) for v, (_, p) in zip(values, after, strict=True))
    return {"found": found, "same": same}


def own_names(solution) -> list:
    """What shared_names finds in a TiedLM."""
    return solution.shared_names(solution.TiedLM(5, 3))
