# caught by: test_tiny_gradients
"""A small gradient is taken for the end."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    with torch.enable_grad():
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            if gradient.numel() and gradient.abs().max() < 1e-8:
                break
            x = (x - lr * gradient).detach()
    return x
