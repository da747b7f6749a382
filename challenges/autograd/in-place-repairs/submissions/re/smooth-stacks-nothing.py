# caught by: test_smooth_of_few_steps[no-step]
"""torch.stack refuses an empty list."""


import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.sigmoid(x) * 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    state, states = torch.zeros(x.shape[1:], dtype=x.dtype), []
    for row in x:
        state = state * decay + row
        states.append(state)
    return torch.stack(states)


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
