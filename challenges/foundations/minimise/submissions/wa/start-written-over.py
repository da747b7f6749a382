# caught by: test_the_start_stays
"""detach shares memory: the update lands in x0."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach()
    for _ in range(steps):
        with torch.enable_grad():
            (gradient,) = torch.autograd.grad(f(x.requires_grad_()), x)
        x = x.detach()
        x -= lr * gradient
    return x.clone()
