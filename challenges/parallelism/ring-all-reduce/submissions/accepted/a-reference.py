"""Reduce-scatter, then all-gather, on a list of parts."""

from collections.abc import Generator

import torch
from torch import Tensor


def all_reduce(rank: int, size: int, x: Tensor) -> Generator[Tensor, Tensor, Tensor]:
    parts = list(x.flatten().tensor_split(size))
    for step in range(size - 1):
        received = yield parts[(rank - step) % size]
        at = (rank - 1 - step) % size
        parts[at] = parts[at] + received
    for step in range(size - 1):
        received = yield parts[(rank + 1 - step) % size]
        parts[(rank - step) % size] = received
    return torch.cat(parts).reshape(x.shape)
