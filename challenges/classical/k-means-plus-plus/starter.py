"""k-means with k-means++ seeding."""

import torch
from torch import Tensor


def plus_plus(x: Tensor, k: int, generator: torch.Generator | None = None) -> Tensor:
    """Return the indices (k,) of rows of x (n, d) that k-means++ draws as start centres."""
    raise NotImplementedError


def lloyd(x: Tensor, centres: Tensor, steps: int = 100) -> tuple[Tensor, Tensor, Tensor]:
    """Return centres (k, d), labels (n,) and the inertia of each step."""
    raise NotImplementedError
