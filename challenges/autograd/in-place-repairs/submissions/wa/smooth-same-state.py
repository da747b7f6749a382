# caught by: test_smooth_of_three_steps
"""The list holds one and the same tensor T times."""


import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.sigmoid(x) * 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    state, states = torch.zeros_like(x[:1]).sum(0), []
    for row in x.detach():
        state.mul_(decay.detach()).add_(row)
        states.append(state)
    return torch.stack(states) + 0 * (x + decay) if states else torch.zeros_like(x)


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
