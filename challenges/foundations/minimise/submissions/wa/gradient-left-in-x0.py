# caught by: test_a_start_with_a_gradient[leaf]
"""The history of x0 is kept, and its gradient with it."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0
    with torch.enable_grad():
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(f(leaf), leaf)
            x = x - lr * gradient
    return x.clone()
