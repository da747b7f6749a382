"""Forward mode, one unit vector at a time."""

import torch
from torch import Tensor


def minimise(f, x0: Tensor, lr: float, steps: int) -> Tensor:
    x = x0.detach().clone()
    for _ in range(steps):
        with torch.enable_grad():
            units = torch.eye(x.numel(), dtype=x.dtype).reshape(-1, *x.shape)
            slopes = [torch.func.jvp(f, (x,), (unit,))[1] for unit in units]
            gradient = torch.stack(slopes).reshape(x.shape) if slopes else x
        x = (x - lr * gradient).detach()
    return x
