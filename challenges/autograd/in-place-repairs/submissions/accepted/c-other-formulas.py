"""tanh for the gate, a cloned state, copy_ for what must stay in its place."""

import torch
from torch import Tensor


def centred_gate(x: Tensor) -> Tensor:
    return torch.tanh(x / 2)


def smooth(x: Tensor, decay: Tensor) -> Tensor:
    states = torch.empty_like(x)
    state = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        state = torch.addcmul(x[t], state, decay)
        states[t].copy_(state)
    return states


def decay_(params: list[Tensor], rate: float) -> None:
    with torch.no_grad():
        for p in params:
            p.copy_(p * (1 - rate))


def track_(mean: Tensor, batch: Tensor, momentum: float) -> None:
    fresh = batch.detach().sum(0) / batch.shape[0]
    mean.copy_((1 - momentum) * mean + momentum * fresh)
