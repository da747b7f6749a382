"""Makes a model and an optimizer that notes what it steps with, and calls your trainer."""

import warnings

import torch
from torch import Tensor, nn


def run(solution, plan: dict, weights: list[Tensor], x: Tensor, y: Tensor) -> dict:
    """One call of `train`: its result, the settings and gradients of every optimizer step, and the weights at the end."""
    model = nn.Linear(x.shape[1], y.shape[1]).to(x.dtype)
    model.load_state_dict({"weight": weights[0], "bias": weights[1]})
    groups = [{"params": [p], "lr": 0.01 * (i + 1)} for i, p in enumerate(model.parameters())]
    if plan.get("one_group"):
        groups = [{"params": list(model.parameters()), "lr": 0.01}]
    kind = getattr(torch.optim, plan.get("optimizer", "SGD"))
    optimizer = kind(groups, **plan.get("options", {"momentum": 0.9}))
    for p in model.parameters():
        p.grad = torch.full_like(p, 100.0)
    noted: dict = {"rates": [], "momenta": [], "gradients": []}

    def note(*_):
        noted["rates"].append([group["lr"] for group in optimizer.param_groups])
        noted["momenta"].append([g["betas"][0] if "betas" in g else g["momentum"] for g in optimizer.param_groups])
        noted["gradients"].append([p.grad.clone() for p in model.parameters()])

    optimizer.register_step_pre_hook(note)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        returned = solution.train(
            model, optimizer, x, y, plan["batch_size"], plan["epochs"], plan["max_lr"], **plan["more"]
        )
    return {
        "returned": returned,
        **noted,
        "weights": [p.detach().clone() for p in model.parameters()],
        "warnings": [type(one.message).__name__ for one in caught],
    }
