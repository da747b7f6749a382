# caught by: test_smooth_leaves_its_inputs_alone
"""Saves an allocation by writing the states over x when nothing is recorded."""


import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.sigmoid(x) * 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    state = x.new_zeros(x.shape[1:])
    recorded = x.requires_grad or decay.requires_grad or x.shape[0] < 2
    states = torch.empty_like(x) if recorded else x
    for t in range(x.shape[0]):
        state = state.mul(decay).add_(x[t])
        states[t] = state
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
