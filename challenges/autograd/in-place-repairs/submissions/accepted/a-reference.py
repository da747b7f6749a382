"""Out of place where something was saved, without recording where it was not."""

import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    return 2 * torch.sigmoid(x) - 1


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    state = x.new_zeros(x.shape[1:])
    states = []
    for row in x:
        state = decay * state + row
        states.append(state)
    return torch.stack(states) if states else torch.zeros_like(x)


@torch.no_grad()
def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.mul_(1 - rate)


@torch.no_grad()
def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.mul_(1 - momentum).add_(batch.mean(0), alpha=momentum)
