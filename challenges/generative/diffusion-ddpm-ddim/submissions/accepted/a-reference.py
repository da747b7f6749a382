"""Reference: one table, one formula for the noised sample, one step for DDIM and DDPM."""

import math
from collections.abc import Callable

import torch
from torch import Tensor


def alpha_bars(steps: int) -> Tensor:
    time = torch.arange(steps + 1, dtype=torch.float64) / steps
    f = torch.cos((time + 0.008) / 1.008 * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    return torch.cat([torch.ones(1, dtype=torch.float64), (1 - betas).cumprod(0)])


def diffusion_loss(
    model: Callable, x0: Tensor, t: Tensor, noise: Tensor, abar: Tensor, gamma: float | None = None
) -> Tensor:
    a = abar[t].view(-1, *[1] * (x0.dim() - 1))
    x = a.sqrt().to(x0.dtype) * x0 + (1 - a).sqrt().to(x0.dtype) * noise
    errors = (model(x, t) - noise).square().flatten(1).mean(1)
    if gamma is not None:
        snr = abar[t] / (1 - abar[t])
        errors = errors * (snr.clamp(max=gamma) / snr).to(x0.dtype)
    return errors.mean()


def ddim_step(
    x: Tensor, eps: Tensor, t: int, s: int, abar: Tensor, eta: float = 0.0, noise: Tensor | None = None
) -> Tensor:
    x0 = (x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()
    variance = eta**2 * (1 - abar[s]) / (1 - abar[t]) * (1 - abar[t] / abar[s])
    out = abar[s].sqrt() * x0 + (1 - abar[s] - variance).sqrt() * eps
    if eta > 0:
        out = out + variance.sqrt() * noise
    return out


@torch.no_grad()
def sample(
    model: Callable,
    x: Tensor,
    times: list[int],
    abar: Tensor,
    condition: Tensor | None = None,
    guidance: float = 1.0,
    eta: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    for t, s in zip(times, times[1:]):
        now = torch.full((x.shape[0],), t)
        eps = model(x, now)
        if condition is not None:
            eps = eps + guidance * (model(x, now, condition) - eps)
        noise = torch.randn(x.shape, generator=generator, dtype=x.dtype) if eta > 0 else None
        x = ddim_step(x, eps, t, s, abar, eta, noise)
    return x
