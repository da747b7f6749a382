"""Gumbel noise and one top-k, two stacks, and a slot drawn for each item."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor


def gumbel_top_k(logits: Tensor, k: int, generator: torch.Generator | None = None) -> Tensor:
    if k < 1 or (logits > -torch.inf).sum(1).min() < k:
        raise ValueError(f"{k} different indices cannot be drawn from each row")
    time = torch.empty_like(logits).exponential_(generator=generator)
    return (logits - time.log()).topk(k, dim=1).indices


def alias_table(weights: Tensor) -> tuple[Tensor, Tensor]:
    weights = weights.double()
    if weights.min() < 0 or weights.sum() == 0:
        raise ValueError("weights must not be negative, and not all of them 0")
    level = (weights / weights.sum() * len(weights)).tolist()
    alias = list(range(len(level)))
    small = [i for i, x in enumerate(level) if x < 1]
    large = [i for i, x in enumerate(level) if x >= 1]
    while small and large:
        needy, rich = small.pop(), large.pop()
        alias[needy] = rich
        level[rich] -= 1 - level[needy]
        (small if level[rich] < 1 else large).append(rich)
    for i in small + large:  # full up to rounding
        level[i] = 1.0
    return torch.tensor(level, dtype=torch.float64), torch.tensor(alias)


def alias_draw(keep: Tensor, alias: Tensor, n: int, generator: torch.Generator | None = None) -> Tensor:
    column = torch.randint(len(keep), (n,), generator=generator)
    coin = torch.rand(n, dtype=torch.float64, generator=generator)
    return torch.where(coin < keep[column], column, alias[column])


def reservoir(stream: Iterable[Any], k: int, generator: torch.Generator | None = None) -> list[Any]:
    if k < 1:
        raise ValueError(f"a reservoir has at least one place, got {k}")
    kept = []
    for i, item in enumerate(stream):
        if i < k:
            kept.append(item)
            continue
        slot = int(torch.randint(i + 1, (), generator=generator))
        if slot < k:
            kept[slot] = item
    return kept
