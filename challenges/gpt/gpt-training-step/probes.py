"""Builds models and optimizers, lets your functions work on them, and says what became of them."""

import torch
from given import GPT
from torch import nn


class Counted(GPT):
    """A GPT that counts its forward passes, notes the shape and the mode of each, and may have a frozen part."""

    def __init__(self, *sizes) -> None:
        super().__init__(*sizes)
        self.passes: list = []

    def forward(self, ids):
        self.passes.append((tuple(ids.shape), self.training))
        return super().forward(ids)


def train(solution, sizes: tuple, state: dict, batches: list, plan: dict) -> dict:
    """Train on all batches. Returns losses, the state, the number of steps, the passes and the mode."""
    model = Counted(*sizes).to(state["norm.weight"].dtype)
    model.load_state_dict(state)
    model.train(plan.get("training", True))
    for name in plan.get("frozen", ()):
        model.get_parameter(name).requires_grad_(False)
    if "stale" in plan:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, plan["stale"])
    if plan["optimizer"] == "AdamW":
        optimizer = torch.optim.AdamW(solution.parameter_groups(model, plan["weight_decay"]), lr=plan["lr"])
    else:
        optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=plan["lr"])
    steps = []
    optimizer.register_step_post_hook(lambda *_: steps.append(1))
    losses, error = [], ""
    try:
        for ids in batches:
            losses.append(solution.training_step(model, optimizer, ids, **plan.get("options", {})))
    except ValueError:
        error = "ValueError"
    return {
        "losses": losses,
        "state": {name: value.detach().clone() for name, value in model.state_dict().items()},
        "steps": len(steps),
        "passes": model.passes,
        "training": model.training,
        "stale": all(p.grad is not None and bool((p.grad == plan.get("stale", 0.0)).all()) for p in model.parameters()),
        "moments": len(optimizer.state),
        "error": error,
    }


def models(kind: str) -> nn.Module:
    """A model with parameters of several dimensions, frozen ones, or shared ones."""
    if kind == "gpt":
        return GPT(5, 4, 4, 2, 1)
    if kind == "convolutions":
        return nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(2, 3, bias=False))
    if kind == "scalars":
        model = nn.Linear(2, 3)
        model.scale = nn.Parameter(torch.ones(()))
        model.row = nn.Parameter(torch.ones(1, 3))
        return model
    if kind == "frozen":
        model = GPT(5, 4, 4, 2, 1)
        model.embed.requires_grad_(False)
        model.norm.weight.requires_grad_(False)
        return model
    if kind == "shared":
        layer = nn.Linear(3, 3)
        model = nn.Sequential(layer, nn.Linear(3, 3), layer)
        model[1].bias = layer.bias
        return model
    return nn.ReLU()


def groups(solution, kind: str, weight_decay: float) -> dict:
    """The names in each group, the decays, and whether the model was left as it was."""
    model = models(kind)
    names = {id(p): name for name, p in model.named_parameters()}
    flags = [p.requires_grad for p in model.parameters()]
    found = solution.parameter_groups(model, weight_decay)
    return {
        "names": [[names.get(id(p), "?") for p in group["params"]] for group in found],
        "decays": [group["weight_decay"] for group in found],
        "keys": [sorted(group) for group in found],
        "same": flags == [p.requires_grad for p in model.parameters()],
    }
