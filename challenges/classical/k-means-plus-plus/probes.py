"""Draws many times in one call."""

import torch
from torch import Tensor


def many(solution, x: Tensor, k: int, times: int, seed: int) -> Tensor:
    """One line of indices for each draw. All of them come from one generator."""
    generator = torch.Generator().manual_seed(seed)
    return torch.stack([solution.plus_plus(x, k, generator) for _ in range(times)])
