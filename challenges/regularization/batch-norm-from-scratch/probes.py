"""Programs that need the live module: an optimizer, a graph that might be kept, a call that is refused."""

import torch
from torch import Tensor


def after_steps(solution, batches: list[Tensor], lr: float) -> dict:
    """The state after steps of SGD on the batches, and whether a buffer has a history."""
    layer = solution.MyBatchNorm(batches[0].shape[1])
    optimizer = torch.optim.SGD(layer.parameters(), lr=lr)
    history = False
    for x in batches:
        optimizer.zero_grad()
        (layer(x.clone().requires_grad_()) ** 3).sum().backward()
        optimizer.step()
        history = history or any(b.requires_grad or b.grad_fn is not None for b in layer.buffers())
    return {"state": {k: v.detach().clone() for k, v in layer.state_dict().items()}, "history": history}


def refused(solution, x: Tensor) -> tuple[str, dict]:
    """What a call in training raises ("" for nothing), and the state afterwards."""
    layer = solution.MyBatchNorm(x.shape[1])
    raised = ""
    try:
        layer(x)
    except Exception as error:
        raised = type(error).__name__
    return raised, {k: v.detach().clone() for k, v in layer.state_dict().items()}
