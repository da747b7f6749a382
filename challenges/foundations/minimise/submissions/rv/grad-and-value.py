"""A transform that gives the gradient beside the value."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    for _ in range(steps):
        with torch.enable_grad():
            gradient, _ = torch.func.grad_and_value(f)(x)
        x = (x - lr * gradient).detach()
    return x
