# caught by: test_a_start_with_a_gradient[computed]
"""x0 is no leaf of its own: its .grad is None where it was computed."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.clone() if not x0.requires_grad else x0 + 0
    with torch.enable_grad():
        for _ in range(steps):
            if not x.requires_grad:
                x.requires_grad_()
            f(x).backward()
            x = (x.detach() - lr * x.grad).clone()
    return x.detach()
