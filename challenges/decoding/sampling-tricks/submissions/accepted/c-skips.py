"""Noise from uniform numbers and a full sort, the poorest against the richest column, and jumps over the stream."""

import math
from itertools import islice

import torch


def uniform(shape, generator):
    """Numbers above 0 and below 1."""
    return torch.rand(shape, dtype=torch.float64, generator=generator).clamp(1e-300, 1 - 1e-16)


def gumbel_top_k(logits, k, generator=None):
    possible = (logits != -math.inf).sum(1)
    if not 1 <= k <= int(possible.min()):
        raise ValueError("k does not fit")
    noise = -torch.log(-torch.log(uniform(logits.shape, generator)))
    return torch.argsort(logits + noise, dim=1, descending=True)[:, :k]


def alias_table(weights):
    w = [float(x) for x in weights]
    total = math.fsum(w)
    if any(x < 0 for x in w) or total <= 0:
        raise ValueError("no distribution")
    average = total / len(w)
    keep, alias = [1.0] * len(w), list(range(len(w)))
    poor = [(x, i) for i, x in enumerate(w) if x < average]
    rich = sorted((x, i) for i, x in enumerate(w) if x >= average)
    while poor and rich:
        (x, i), (y, j) = poor.pop(), rich.pop()
        keep[i], alias[i] = x / average, j
        y = y - (average - x)
        if y < average:
            poor.append((y, j))
        else:
            rich.append((y, j))
    return torch.tensor(keep, dtype=torch.float64), torch.tensor(alias)


def alias_draw(keep, alias, n, generator=None):
    both = torch.stack([alias, torch.arange(len(alias))])
    coin = uniform((n,), generator)
    column = torch.randint(0, len(alias), (n,), generator=generator)
    return both[(coin < keep[column]).long(), column]


def reservoir(stream, k, generator=None):
    if not k > 0:
        raise ValueError("k must be positive")
    stream = iter(stream)
    kept = list(islice(stream, k))
    if len(kept) < k:
        return kept
    end, threshold = object(), 1.0
    while True:
        u, v = uniform(2, generator).tolist()
        threshold *= u ** (1 / k)  # the largest of k keys, if all are below the old threshold
        skip = math.floor(math.log(v) / math.log1p(-min(threshold, 1 - 1e-16)))
        item = next(islice(stream, skip, skip + 1), end)
        if item is end:
            return kept
        kept[int(torch.randint(k, (1,), generator=generator))] = item
