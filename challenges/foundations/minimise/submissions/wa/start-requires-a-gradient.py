# caught by: test_a_result_without_history[2]
"""x0 itself is made a leaf that requires a gradient."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x0.requires_grad_()
    x = x0.detach().clone()
    with torch.enable_grad():
        for _ in range(steps):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient).detach()
    return x
