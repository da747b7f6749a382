# caught by: test_every_step[2]
"""backward adds to what is there."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone().requires_grad_()
    with torch.enable_grad():
        for _ in range(steps):
            f(x).backward()
            x.data -= lr * x.grad
    return x.detach()
