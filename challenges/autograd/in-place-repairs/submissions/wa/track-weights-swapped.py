# caught by: test_track_at_the_ends[0.0]
"""Momentum belongs to the new mean, not to the old one."""


import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.sigmoid(x) * 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    state = x.new_zeros(x.shape[1:])
    states = torch.empty_like(x)
    for t in range(x.shape[0]):
        state = state.mul(decay).add_(x[t])
        states[t] = state
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.mul_(momentum).add_((1 - momentum) * batch.detach().mean(0))
