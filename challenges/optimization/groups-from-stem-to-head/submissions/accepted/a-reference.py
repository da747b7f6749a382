"""The stage of each parameter first, then the groups."""

from torch import nn
from torch.optim import Optimizer


def build_groups(model: nn.Module, base_lr: float, layer_decay: float, weight_decay: float) -> list[dict]:
    stages = [(name, child) for name, child in model.named_children() if any(True for _ in child.parameters())]
    stage_of = {id(p): 0 for p in model.parameters(recurse=False)}
    for place, (_, child) in enumerate(stages):
        for p in child.parameters():
            stage_of.setdefault(id(p), place)
    groups = []
    for place, (name, _) in enumerate(stages):
        rate = base_lr * layer_decay ** (len(stages) - 1 - place)
        mine = [p for p in model.parameters() if p.requires_grad and stage_of[id(p)] == place]
        decayed = [p for p in mine if p.ndim >= 2]
        others = [p for p in mine if p.ndim < 2]
        if decayed:
            groups.append(_group(f"{name}.decay", decayed, rate, weight_decay))
        if others:
            groups.append(_group(f"{name}.no_decay", others, rate, 0.0))
    return groups


def _group(name: str, params: list, rate: float, decay: float) -> dict:
    return {"name": name, "params": params, "lr": float(rate), "weight_decay": float(decay)}


def left_out(model: nn.Module, optimizer: Optimizer) -> list[str]:
    held = {id(p) for group in optimizer.param_groups for p in group["params"]}
    return [name for name, p in model.named_parameters() if p.requires_grad and id(p) not in held]
