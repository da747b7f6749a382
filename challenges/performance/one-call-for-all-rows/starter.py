"""Assign points to their nearest centres. It is slow, and the centres do not learn: see the statement."""

import torch
from torch import Tensor


def assign(points: Tensor, centres: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """(N, D), (K, D), (D,) -> index (N,), distance (N,)"""
    index, distance = [], []
    for point in points:
        best, nearest = float("inf"), 0
        for k, centre in enumerate(centres):
            d = (weights * (point - centre) ** 2).sum().item()
            if d < best:
                best, nearest = d, k
        index.append(nearest)
        distance.append(best)
    return torch.tensor(index, dtype=torch.int64), torch.tensor(distance, dtype=points.dtype)
