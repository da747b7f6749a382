# caught by: test_dtypes[float64]
"""The point is converted to float32 and back."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    with torch.enable_grad():
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient).detach().float().to(x0.dtype)
    return x
