"""Makes a network, an optimizer and perhaps a scaler, calls one of your functions, and notes what the optimizer got."""

import torch
from torch import Tensor, nn


def network(weights: dict[str, Tensor], depth: int) -> nn.Sequential:
    """Linear layers with tanh between them, with these weights."""
    first = weights["0.weight"]
    layers: list[nn.Module] = [nn.Linear(first.shape[1], first.shape[0])]
    for i in range(1, depth):
        layers += [nn.Tanh(), nn.Linear(first.shape[0], weights[f"{2 * i}.weight"].shape[0])]
    model = nn.Sequential(*layers).to(first.dtype)
    model.load_state_dict(weights)
    return model


def train(solution, name: str, plan: dict, weights: dict[str, Tensor], batches: list) -> dict:
    """Call solution.<name>; give back its result, weights, gradients received, and counts."""
    model = network(weights, plan.get("depth", 2))
    model.train(plan.get("training", True))
    for i in plan.get("evaluating", []):
        model[i].eval()
    for i in plan.get("frozen", []):
        model[i].requires_grad_(False)
    for p in model.parameters():
        if p.requires_grad and "stale" in plan:
            p.grad = torch.full_like(p, plan["stale"])
    optimizer = getattr(torch.optim, plan.get("optimizer", "SGD"))(
        model.parameters(), **plan.get("options", {"lr": 0.1})
    )
    received, forwards, modes = [], [], []
    optimizer.register_step_pre_hook(
        lambda *_: received.append([None if p.grad is None else p.grad.clone() for p in model.parameters()])
    )
    model.register_forward_hook(lambda *_: forwards.append(1))

    def note_modes(*_):
        modes.append([module.training for module in model.modules()])

    note_modes()
    model.register_forward_pre_hook(note_modes)
    scaler = torch.amp.GradScaler("cpu", **plan.get("scaler", {"init_scale": 4096.0}))
    data = (batch for batch in batches) if plan.get("generator") else batches
    if name == "fit_scaled":
        norms = solution.fit_scaled(model, optimizer, scaler, data, plan["max_norm"])
    elif name == "fit_accumulated":
        norms = solution.fit_accumulated(model, optimizer, data, plan["max_norm"], plan["every"])
    else:
        norms = getattr(solution, name)(model, optimizer, data, plan["max_norm"])
    note_modes()
    return {
        "norms": norms,
        "weights": {key: value.detach().clone() for key, value in model.state_dict().items()},
        "received": received,
        "forwards": len(forwards),
        "scale": scaler.get_scale(),
        "modes": modes,
    }
