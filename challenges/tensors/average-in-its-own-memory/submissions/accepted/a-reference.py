"""lerp_ under no_grad."""

import torch
from torch import Tensor


@torch.no_grad()
def ema_update_(avg: Tensor, new: Tensor, decay: float) -> Tensor:
    return avg.lerp_(new.to(avg.dtype), 1 - decay)


def rescaled(x: Tensor, s: float) -> Tensor:
    return x * s
