# caught by: test_a_result_without_history[2]
"""Nothing is cut off: the result hangs on all steps."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    with torch.enable_grad():
        x.requires_grad_()
        for _ in range(steps):
            (gradient,) = torch.autograd.grad(f(x), x)
            x = x - lr * gradient
    return x
