"""The library has one."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([x], lr=lr)
    with torch.enable_grad():
        for _ in range(steps):
            optimizer.zero_grad()
            f(x).backward()
            optimizer.step()
    return x.detach()
