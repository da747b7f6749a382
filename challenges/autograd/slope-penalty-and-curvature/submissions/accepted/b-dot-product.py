"""The scalar product with v is written out; unused inputs give None, which becomes zeros."""

import torch


def gradient_penalty(critic, real, fake, alpha):
    real, fake, alpha = real.detach(), fake.detach(), alpha.detach()
    mixed = torch.stack([a * r + (1 - a) * f for a, r, f in zip(alpha, real, fake)])
    mixed.requires_grad_(True)
    scores = critic(mixed)
    slope = torch.autograd.grad(scores, mixed, torch.ones_like(scores), create_graph=True)[0]
    lengths = torch.linalg.vector_norm(slope, dim=tuple(range(1, slope.dim())))
    return (lengths - 1).square().mean()


def hvp(f, x, v):
    point = x.detach().clone().requires_grad_(True)
    value = f(point) + 0 * point.sum()
    slope = torch.autograd.grad(value, point, create_graph=True)[0]
    along = (slope * v.detach()).sum() + 0 * (point * point).sum()
    return torch.autograd.grad(along, point)[0].detach()
