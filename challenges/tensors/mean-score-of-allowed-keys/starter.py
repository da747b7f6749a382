"""A masked mean of scaled scores."""

from torch import Tensor


def masked_scores(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    """q (..., n, d), k (..., m, d) and mask (..., n, m) give (..., n)."""
    raise NotImplementedError
