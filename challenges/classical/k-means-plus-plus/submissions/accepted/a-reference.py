"""Differences of three dimensions, multinomial draws, and sums by index."""

import torch
from torch import Tensor


def squared(x: Tensor, centres: Tensor) -> Tensor:
    return (x[:, None] - centres).square().sum(-1)


def plus_plus(x: Tensor, k: int, generator: torch.Generator | None = None) -> Tensor:
    if not 1 <= k <= len(x):
        raise ValueError(f"k must be between 1 and {len(x)}")
    chosen = torch.randint(len(x), (1,), generator=generator)
    while len(chosen) < k:
        weights = squared(x, x[chosen]).amin(1)
        if weights.any():
            new = torch.multinomial(weights, 1, generator=generator)
        else:
            free = torch.ones(len(x), dtype=torch.int64).index_fill(0, chosen, 0)
            new = free.argmax()[None]
        chosen = torch.cat([chosen, new])
    return chosen


def lloyd(x: Tensor, centres: Tensor, steps: int = 100) -> tuple[Tensor, Tensor, Tensor]:
    if steps < 1:
        raise ValueError("at least one step is needed")
    labels, inertias = None, []
    for _ in range(steps):
        before = labels
        nearest, labels = squared(x, centres).min(1)
        inertias.append(nearest.sum())
        sums = torch.zeros_like(centres).index_add(0, labels, x)
        counts = labels.bincount(minlength=len(centres))[:, None]
        centres = torch.where(counts > 0, sums / counts.clamp(min=1), centres)
        if before is not None and torch.equal(labels, before):
            break
    return centres, labels, torch.stack(inertias)
