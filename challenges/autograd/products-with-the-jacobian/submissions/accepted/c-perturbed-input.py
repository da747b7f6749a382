"""The direction enters the function: f(x + t u), differentiated by the number t, twice through reverse mode."""

import torch


def gradient_of(f, x, v=None):
    shift = torch.zeros_like(x.detach(), requires_grad=True)
    y = f(x.detach() + shift)
    if v is None:
        if y.numel() != 1:
            raise ValueError("several outputs and no weights")
        weights = y.new_ones(y.shape)
    elif tuple(v.shape) == tuple(y.shape):
        weights = v.detach()
    else:
        raise ValueError("weights of another shape")
    return torch.autograd.grad([y], [shift], [weights])[0]


def directional_of(f, x, u):
    if tuple(u.shape) != tuple(x.shape):
        raise ValueError("a direction of another shape")
    t = torch.zeros((), dtype=x.dtype, requires_grad=True)
    y = f(x.detach() + t * u.detach())
    v = torch.rand(y.shape, dtype=y.dtype).requires_grad_()
    slope = torch.autograd.grad(y, t, v, create_graph=True)[0]
    return torch.autograd.grad(slope, v)[0]
