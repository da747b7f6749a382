# caught by: test_smooth_of_three_steps
"""The state is detached from step to step: only the last step has a gradient."""


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
        state = state.detach().mul(decay).add_(x[t])
        states[t] = state
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
