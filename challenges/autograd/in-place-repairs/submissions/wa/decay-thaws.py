# caught by: test_decay_keeps_leaves_leaves
"""Switches requires_grad off and on again, for the frozen ones too."""


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
        p.requires_grad_(False)
        p.mul_(1 - rate)
        p.requires_grad_(True)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
