"""The older functional interface."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    for _ in range(steps):
        with torch.enable_grad():
            gradient = torch.autograd.functional.jacobian(f, x)
        x = (x - lr * gradient).detach()
    return x
