# caught by: test_gate_gradients[float64-strided]
"""A buffer of its own, in the default dtype."""


import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.zeros(x.shape)
    gate.copy_(torch.sigmoid(x))
    return gate * 2 - 1


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
    mean.lerp_(batch.detach().mean(0), momentum)
