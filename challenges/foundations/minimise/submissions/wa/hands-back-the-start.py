# caught by: test_memory_of_its_own[0]
"""Without a step x0 itself is the result."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach()
    with torch.enable_grad():
        for _ in range(steps):
            x = x.clone().requires_grad_()
            (gradient,) = torch.autograd.grad(f(x), x)
            x = (x - lr * gradient).detach()
    return x
