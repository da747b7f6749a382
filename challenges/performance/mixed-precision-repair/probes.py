"""Runs your loop on a live model and optimizer, and brings weights, losses and notes back."""

import warnings

import torch
from given import Network, NotedLoss, state


def run(solution, plan: dict, weights: dict, batches: list) -> dict:
    """One call of `train`. Returns losses, weights, gradients' dtypes and what was noted on the way."""
    model = Network(*plan["sizes"], **plan.get("network", {}))
    model.load_state_dict(weights)
    model.train(not plan.get("eval", False))
    for name in plan.get("frozen", []):
        model.get_parameter(name).requires_grad_(False)
    if plan.get("stale"):
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, plan["stale"])
    log: dict = {}
    loss_fn = NotedLoss(plan.get("loss", "mse_loss"), log, plan.get("factor", 1.0))
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = getattr(torch.optim, plan.get("optimizer", "SGD"))(trained, **plan.get("options", {"lr": 0.1}))
    optimizer.register_step_pre_hook(lambda *_: log.setdefault("step", []).append(state()))
    model.register_forward_pre_hook(lambda *_: log.setdefault("forward", []).append(state()))
    model.register_forward_pre_hook(lambda _, inputs: log.update(input=str(inputs[0].dtype)))
    model.first.register_forward_hook(lambda m, i, o: log.update(linear=str(o.dtype)))
    if "seed" in plan:
        torch.manual_seed(plan["seed"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        options = {"max_norm": plan["max_norm"]} if "max_norm" in plan else {}
        losses = solution.train(model, batches, loss_fn, optimizer, "cpu", plan["dtype"], **options)
    return {
        "losses": losses,
        "weights": {name: t.detach().clone() for name, t in model.state_dict().items()},
        "gradients": {n: None if p.grad is None else str(p.grad.dtype) for n, p in model.named_parameters()},
        "log": log,
        "after": state(),
        "modes": sorted({module.training for module in model.modules()}),
        "warnings": sorted({type(w.message).__name__ for w in caught}),
    }
