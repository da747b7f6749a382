"""The gradient is recorded once, and weighted by grad_outputs the second time."""

from collections.abc import Callable

import torch
from torch import Tensor, nn


def gradient_penalty(critic: nn.Module, real: Tensor, fake: Tensor, alpha: Tensor) -> Tensor:
    weight = alpha.reshape(-1, *[1] * (real.dim() - 1))
    mixed = (weight * real + (1 - weight) * fake).detach().requires_grad_()
    (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return ((slope.flatten(1).norm(dim=1) - 1) ** 2).mean()


def hvp(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor) -> Tensor:
    leaf = x.detach().requires_grad_()
    value = f(leaf)
    if not value.requires_grad:
        return torch.zeros_like(leaf)
    (slope,) = torch.autograd.grad(value, leaf, create_graph=True, materialize_grads=True)
    if not slope.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(slope, leaf, v, materialize_grads=True)[0]
