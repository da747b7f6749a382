# caught by: test_every_step[2]
"""The gradient is computed once."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone().requires_grad_()
    with torch.enable_grad():
        (gradient,) = torch.autograd.grad(f(x), x)
    return (x - steps * lr * gradient).detach()
