"""backward, an update in place, and the gradient removed."""

import torch


@torch.enable_grad()
def minimise(f, x0, lr, steps):
    point = torch.clone(x0).detach().requires_grad_(True)
    for _ in range(steps):
        f(point).backward()
        with torch.no_grad():
            point -= lr * point.grad
        point.grad = None
    return point.detach()
