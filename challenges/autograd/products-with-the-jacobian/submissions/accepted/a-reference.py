"""The backward pass as a linear function of its weights, and its derivative."""

from collections.abc import Callable

import torch
from torch import Tensor


def gradient_of(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor | None = None) -> Tensor:
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    if v is None:
        if y.numel() != 1:
            raise ValueError(f"the result has {y.numel()} elements: pass weights for them")
        v = torch.ones_like(y)
    if v.shape != y.shape:
        raise ValueError(f"weights of shape {tuple(v.shape)} for a result of shape {tuple(y.shape)}")
    (grad,) = torch.autograd.grad(y, leaf, v.detach())
    return grad


def directional_of(f: Callable[[Tensor], Tensor], x: Tensor, u: Tensor) -> Tensor:
    if u.shape != x.shape:
        raise ValueError(f"a direction of shape {tuple(u.shape)} at a point of shape {tuple(x.shape)}")
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    v = torch.zeros_like(y, requires_grad=True)
    (back,) = torch.autograd.grad(y, leaf, v, create_graph=True)
    (forth,) = torch.autograd.grad(back, v, u.detach())
    return forth
