"""The square of a difference in three terms: two norms and a matrix product."""

from torch import Tensor


def squared_distances(x: Tensor, y: Tensor) -> Tensor:
    norms = x.square().sum(1, keepdim=True) + y.square().sum(1)
    return (norms - 2 * x @ y.T).clamp_min(0)
