"""hvp as the derivative of the gradient with respect to its own weights and a step along v."""

import torch


def gradient_penalty(critic, real, fake, alpha):
    with torch.no_grad():
        mixed = torch.lerp(fake, real, alpha.view(alpha.shape + (1,) * (real.ndim - 1)))
    mixed = mixed.clone().requires_grad_()
    slope = torch.autograd.grad(critic(mixed).sum(), [mixed], create_graph=True)[0]
    total = sum((row.square().sum().sqrt() - 1) ** 2 for row in slope)
    return total / len(slope)


def hvp(f, x, v):
    # g(t) = d/dt f(x + t v) = slope · v is a number; its derivative by x is H v
    start = x.detach().clone().requires_grad_()
    t = torch.zeros((), dtype=x.dtype, requires_grad=True)
    value = f(start + t * v.detach())
    if not value.requires_grad:
        return torch.zeros(x.shape, dtype=x.dtype)
    along = torch.autograd.grad(value, t, create_graph=True, allow_unused=True)[0]
    if along is None or not along.requires_grad:
        return torch.zeros(x.shape, dtype=x.dtype)
    found = torch.autograd.grad(along, start, allow_unused=True)[0]
    return torch.zeros(x.shape, dtype=x.dtype) if found is None else found
