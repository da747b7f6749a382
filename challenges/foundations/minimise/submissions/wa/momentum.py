# caught by: test_every_step[2]
"""Some momentum."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    speed = torch.zeros_like(x)
    with torch.enable_grad():
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            speed = 0.5 * speed + gradient
            x = (x - lr * speed).detach()
    return x
