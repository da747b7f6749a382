"""A transform under another name."""

import torch
import torch.func as transforms
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    for _ in range(steps):
        with torch.enable_grad():
            y, pull = transforms.vjp(f, x)
            (gradient,) = pull(torch.ones_like(y))
        x = (x - lr * gradient).detach()
    return x
