# caught by: test_one_step_by_hand
"""One step too many."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    with torch.enable_grad():
        for _ in range(steps + 1):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient).detach()
    return x
