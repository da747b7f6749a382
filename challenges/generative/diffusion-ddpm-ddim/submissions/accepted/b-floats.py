"""Plain floats for all factors of a step; the loss goes through lists of factors."""

import math

import torch


def alpha_bars(steps):
    def f(t):
        return math.cos((t / steps + 0.008) / 1.008 * math.pi / 2) ** 2

    table = [1.0]
    for t in range(1, steps + 1):
        beta = min(1 - f(t) / f(t - 1), 0.999)
        table.append(table[-1] * (1 - beta))
    return torch.tensor(table, dtype=torch.float64)


def diffusion_loss(model, x0, t, noise, abar, gamma=None):
    table = [float(abar[i]) for i in t.tolist()]
    noised = torch.stack([math.sqrt(a) * x + math.sqrt(1 - a) * e for a, x, e in zip(table, x0, noise)])
    predicted = model(noised, t)
    total = 0.0
    for a, found, wanted in zip(table, predicted, noise):
        weight = 1.0 if gamma is None else min(1.0, gamma * (1 - a) / a)
        total = total + weight * torch.mean((found - wanted) ** 2)
    return total / len(table)


def ddim_step(x, eps, t, s, abar, eta=0.0, noise=None):
    now, then = float(abar[t]), float(abar[s])
    sigma = eta * math.sqrt((1 - then) / (1 - now)) * math.sqrt(1 - now / then)
    clean = (x - math.sqrt(1 - now) * eps) / math.sqrt(now)
    result = math.sqrt(then) * clean + math.sqrt(max(1 - then - sigma**2, 0.0)) * eps
    return result if eta == 0 else result + sigma * noise


def sample(model, x, times, abar, condition=None, guidance=1.0, eta=0.0, generator=None):
    with torch.no_grad():
        for i in range(len(times) - 1):
            t = x.new_full((len(x),), times[i], dtype=torch.int64)
            if condition is None:
                eps = model(x, t)
            else:
                eps = guidance * model(x, t, condition) + (1 - guidance) * model(x, t)
            noise = None
            if eta != 0:
                noise = torch.empty_like(x).normal_(generator=generator)
            x = ddim_step(x, eps, times[i], times[i + 1], abar, eta, noise)
    return x
