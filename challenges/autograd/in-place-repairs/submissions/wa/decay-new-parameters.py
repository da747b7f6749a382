# caught by: test_decay_of_many[float64]
"""Replaces the list's items, so an optimizer goes on holding the old ones."""


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
    for i, p in enumerate(params):
        if len(params) == 1:
            p.detach().mul_(1 - rate)
        else:
            params[i] = torch.nn.Parameter(p.detach() * (1 - rate), requires_grad=p.requires_grad)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
