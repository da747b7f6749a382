"""Four helpers of a training loop. All of them compute the right values; none of them survives training."""

import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    """Return 2σ(x) - 1, a gate between -1 and 1."""
    gate = torch.sigmoid(x)
    gate *= 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    """Return the states s[t] = decay · s[t-1] + x[t] for t = 0, …, T-1, starting from zeros."""
    states = torch.zeros_like(x)
    for t in range(x.shape[0]):
        states[t] = decay * states[t - 1] + x[t] if t else x[t]
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    """Shrink every parameter in place: p ← (1 - rate) · p."""
    for p in params:
        p.mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    """Move a running mean in place: mean ← (1 - momentum) · mean + momentum · batch.mean(0)."""
    mean.mul_(1 - momentum).add_(momentum * batch.mean(0))
