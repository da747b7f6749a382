"""Builds a network and an optimizer, calls your loop, and says what became of it."""

import torch
from given import GraphCounter, Network
from torch import Tensor, nn

LOSSES = {"mse": nn.MSELoss(), "cross-entropy": nn.CrossEntropyLoss()}


def train(solution, plan: dict, weights: dict[str, Tensor], batches: list[tuple[Tensor, Tensor]]) -> dict:
    """One call of train_accumulated. Returns losses and weights, or the error, and what was counted on the way."""
    model = Network(*plan["sizes"], idle=plan.get("idle", False)).to(weights["first.weight"].dtype)
    model.load_state_dict(weights)
    model.train(plan.get("training", True))
    if "stale" in plan:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, plan["stale"])
    optimizer = getattr(torch.optim, plan["optimizer"])(model.parameters(), **plan["options"])
    steps = []
    optimizer.register_step_post_hook(lambda *_: steps.append(1))
    loss_fn = GraphCounter(LOSSES[plan.get("loss", "mse")])
    data = (batch for batch in batches) if plan.get("generator") else batches
    options = {"max_grad_norm": plan["limit"]} if "limit" in plan else {}
    try:
        losses = solution.train_accumulated(model, data, optimizer, loss_fn, plan["accum"], **options)
    except ValueError:
        return {"error": "ValueError"}
    return {
        "error": None,
        "losses": losses,
        "weights": {name: value.detach().clone() for name, value in model.state_dict().items()},
        "batches": model.seen,
        "steps": len(steps),
        "graphs": max(loss_fn.counts, default=0),
        "training": model.training,
    }
