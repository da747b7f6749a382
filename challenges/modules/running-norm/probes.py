"""The layer among optimizers and devices."""

import torch
from torch import Tensor


def on_meta(solution, features: int) -> dict:
    """Moved to the meta device: where everything is, and what a forward pass there gives in both modes."""
    module = solution.RunningNorm(features).to("meta")
    named = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    shapes, problem = [], ""
    for mode in (True, False):
        try:
            out = module.train(mode)(torch.empty(4, features, device="meta"))
            shapes.append(tuple(out.shape) if out.is_meta else ())
        except (RuntimeError, NotImplementedError, ValueError) as error:
            problem = type(error).__name__
    return {"devices": {name: t.device.type for name, t in named.items()}, "shapes": shapes, "problem": problem}


def after_steps(solution, batches: list[Tensor], weight: Tensor, lr: float) -> dict:
    """SGD on everything that parameters() gives, one step for each batch: what has changed, and what has a history."""
    module = solution.RunningNorm(weight.shape[0])
    optimizer = torch.optim.SGD(module.parameters(), lr=lr, weight_decay=0.1)
    for batch in batches:
        optimizer.zero_grad()
        (module(batch) * weight).square().sum().backward()
        optimizer.step()
    buffers = dict(module.named_buffers())
    return {
        "state": {name: t.detach().clone() for name, t in module.state_dict().items()},
        "history": [name for name, t in buffers.items() if t.requires_grad or t.grad_fn is not None],
    }
