"""Loops over clusters; draws by inverting the distribution function."""

import torch


def plus_plus(x, k, generator=None):
    n = x.shape[0]
    if k < 1 or k > n:
        raise ValueError(k)
    chosen = [int(torch.randint(0, n, (), generator=generator))]
    weights = torch.full((n,), torch.inf, dtype=torch.float64)
    for _ in range(k - 1):
        weights = torch.minimum(weights, ((x - x[chosen[-1]]) ** 2).sum(1).double())
        total = weights.cumsum(0)
        if total[-1] > 0:
            u = total[-1] * torch.rand((), dtype=torch.float64, generator=generator)
            chosen.append(int((total <= u).sum()))
        else:
            chosen.append(min(set(range(n)) - set(chosen)))
    return torch.tensor(chosen)


def lloyd(x, centres, steps=100):
    if steps <= 0:
        raise ValueError(steps)
    centres = centres.clone()
    before, inertias = torch.full((x.shape[0],), -1), []
    while len(inertias) < steps:
        distances = torch.stack([((x - c) ** 2).sum(1) for c in centres])
        labels = distances.argmin(0)
        inertias.append(distances.amin(0).sum())
        for j in range(len(centres)):
            if (labels == j).any():
                centres[j] = x[labels == j].mean(0)
        if (labels == before).all():
            break
        before = labels
    return centres, labels, torch.tensor(inertias, dtype=x.dtype)
