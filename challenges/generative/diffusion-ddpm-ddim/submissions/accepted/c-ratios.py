"""Without the clean sample in between: a step is one linear combination; the closed form of the schedule."""

import torch


def alpha_bars(steps):
    t = torch.linspace(0, 1, steps + 1, dtype=torch.float64)
    angle = (t + 0.008) / 1.008 * torch.pi / 2
    table = torch.cos(angle).square() / torch.cos(angle[0]).square()
    table[-1] = table[-2] * 0.001  # the one beta that is cut: cos(π/2) is 0
    return table


def diffusion_loss(model, x0, t, noise, abar, gamma=None):
    signal, spread = (torch.sqrt(v).to(x0.dtype) for v in (abar[t], 1 - abar[t]))
    mixed = torch.einsum("b,b...->b...", signal, x0) + torch.einsum("b,b...->b...", spread, noise)
    weights = torch.ones_like(signal)
    if gamma is not None:
        weights = torch.minimum(weights, gamma * (spread / signal) ** 2)
    squares = (model(mixed, t) - noise).pow(2)
    return torch.einsum("b,b...->", weights, squares) / squares.numel()


def ddim_step(x, eps, t, s, abar, eta=0.0, noise=None):
    ratio = (abar[s] / abar[t]).sqrt()
    variance = eta**2 * (1 - abar[s]) * (1 - abar[t] / abar[s]) / (1 - abar[t])
    factor = (1 - abar[s] - variance).sqrt() - ratio * (1 - abar[t]).sqrt()
    moved = ratio.item() * x + factor.item() * eps
    if eta:
        moved = torch.add(moved, noise, alpha=variance.sqrt().item())
    return moved


@torch.no_grad()
def sample(model, x, times, abar, condition=None, guidance=1.0, eta=0.0, generator=None):
    times = list(times)
    t = times.pop(0)
    while times:
        s, clock = times.pop(0), torch.ones(x.size(0), dtype=torch.long) * t
        free = model(x, clock)
        eps = free if condition is None else torch.lerp(free, model(x, clock, condition), guidance)
        fresh = torch.normal(0.0, 1.0, tuple(x.shape), generator=generator, dtype=x.dtype) if eta else None
        x, t = ddim_step(x, eps, t, s, abar, eta, fresh), s
    return x
