"""Builds models, asks for their groups, and gives the groups to real optimizers."""

import torch
from given import model_of, state_of
from torch import nn


def described(groups: list[dict], model: nn.Module) -> list[dict]:
    """Groups with the names of their parameters."""
    names = {id(p): name for name, p in model.named_parameters()}
    if type(groups) is not list or not all(type(group) is dict for group in groups):
        return []
    return [{**group, "params": [names.get(id(p), "?") for p in group.get("params", [])]} for group in groups]


def grouped(solution, kind: str, frozen: list[str], numbers: list[float], dtype: torch.dtype) -> dict:
    """The groups of a model, and whether it is afterwards as it was."""
    model = model_of(kind, frozen, dtype)
    before, flags = state_of(model), [p.requires_grad for p in model.parameters()]
    groups = solution.build_groups(model, *numbers)
    same = all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
    unchanged = same and flags == [p.requires_grad for p in model.parameters()]
    lists = type(groups) is list and all(type(group.get("params")) is list for group in groups)
    return {"groups": described(groups, model), "unchanged": unchanged, "lists": lists}


def stepped(solution, kind: str, frozen: list[str], numbers: list[float]) -> dict:
    """One SGD step with a gradient of one everywhere: by how much each parameter has moved."""
    model = model_of(kind, frozen, torch.float64)
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(2.0)
    optimizer = torch.optim.SGD(solution.build_groups(model, *numbers))
    for p in model.parameters():
        p.grad = torch.ones_like(p)
    optimizer.step()
    return {name: 2.0 - p.detach().flatten()[0].item() for name, p in model.named_parameters()}


def forgotten(solution, kind: str, frozen: list[str], groups: list[list[str]]) -> list[str]:
    """What left_out says about an optimizer with groups of these parameters."""
    model = model_of(kind, frozen)
    named = dict(model.named_parameters())
    optimizer = torch.optim.SGD([{"params": [named[name] for name in group]} for group in groups], lr=0.1)
    return solution.left_out(model, optimizer)


def unfrozen_later(solution) -> list[list[str]]:
    """An optimizer of the trainable parameters, before and after the backbone is unfrozen."""
    model = model_of("plain", ["stem", "norm", "body"])
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    before = solution.left_out(model, optimizer)
    for p in model.body.parameters():
        p.requires_grad_(True)
    return [before, solution.left_out(model, optimizer)]


def own_groups_are_complete(solution, kind: str) -> list[str]:
    """What left_out says about an optimizer with the groups of build_groups."""
    model = model_of(kind, [])
    return solution.left_out(model, torch.optim.AdamW(solution.build_groups(model, 0.1, 0.5, 0.1)))
