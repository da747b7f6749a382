# caught by: test_one_step_by_hand
"""Only the sign of the gradient is used."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    with torch.enable_grad():
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient.sign()).detach()
    return x
