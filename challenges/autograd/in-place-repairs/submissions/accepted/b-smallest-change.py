"""One word a function: only the line that wrote into a saved tensor is out of place; detach() shares the version counter."""

import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    gate = torch.sigmoid(x) * 2
    gate -= 1
    return gate


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    states = torch.zeros_like(x)
    for t in range(x.shape[0]):
        states[t] = decay * states[t - 1].clone() + x[t] if t else x[t]
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    for p in params:
        p.detach().mul_(1 - rate)


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    mean.lerp_(batch.detach().mean(0), momentum)
