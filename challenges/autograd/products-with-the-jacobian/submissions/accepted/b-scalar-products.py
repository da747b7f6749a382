"""Everything as the gradient of a scalar product; backward(inputs=…) keeps it away from other leaves."""

import torch


def gradient_of(f, x, v=None):
    leaf = x.detach().clone().requires_grad_(True)
    y = f(leaf)
    if v is None and y.numel() > 1 or y.numel() == 0 and v is None:
        raise ValueError("v is needed for more than one output")
    if v is not None and v.size() != y.size():
        raise ValueError("v must have the shape of f(x)")
    total = y.sum() if v is None else (y * v.detach()).sum()
    total.backward(inputs=[leaf])
    return leaf.grad


def directional_of(f, x, u):
    if u.size() != x.size():
        raise ValueError("u must have the shape of x")
    leaf = x.detach().clone().requires_grad_(True)
    y = f(leaf)
    v = torch.ones(y.shape, dtype=y.dtype, requires_grad=True)
    back = torch.autograd.grad((y * v).sum(), leaf, create_graph=True)[0]
    return torch.autograd.grad((back * u.detach()).sum(), v)[0]
