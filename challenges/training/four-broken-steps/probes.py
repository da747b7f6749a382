"""Builds networks and optimizers, calls one of your functions, and says what became of the weights."""

import torch
from given import Network, recording
from torch import Tensor

# what each function is given: sizes of its networks, and what a batch is
NETWORKS = {
    "fit_line": [(3, 4, 2)],
    "fit_classes": [(3, 4, 5)],
    "refine": [(3, 4, 2)],
    "fit_pair": [(3, 4, 2), (2, 4, 3)],
}


def train(solution, name: str, plan: dict, weights: list[dict[str, Tensor]], batches: list) -> dict:
    """Call solution.<name>. Returns losses, weights, and how often networks and optimizers were called."""
    models = []
    for sizes, values in zip(NETWORKS[name], weights, strict=True):
        model = Network(*sizes, norm=plan.get("norm", False)).to(values["first.weight"].dtype)
        model.load_state_dict(values)
        model.train(plan.get("training", True))
        if plan.get("norm_evaluates"):
            model.norm.eval()
        for parameter in model.parameters():
            if "stale" in plan:
                parameter.grad = torch.full_like(parameter, plan["stale"])
        models.append(model)
    kind = recording(getattr(torch.optim, plan["optimizer"]))
    optimizers = [kind(model.parameters(), **plan["options"]) for model in models]
    if name == "refine":
        data = (*batches[0], plan.get("steps", len(batches)))
    else:
        data = ((batch for batch in batches),) if plan.get("generator") else (batches,)
    modes = [module.training for model in models for module in model.modules()]
    losses = getattr(solution, name)(*models, *optimizers, *data)
    return {
        "losses": losses,
        "weights": [{key: value.detach().clone() for key, value in model.state_dict().items()} for model in models],
        "forwards": [model.forwards for model in models],
        "steps": [optimizer.steps for optimizer in optimizers],
        "modes": modes,
        "training": [module.training for model in models for module in model.modules()],
    }
