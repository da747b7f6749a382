# caught by: test_inside_no_grad
"""Relies on gradients being recorded."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    if True:
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient).detach()
    return x
