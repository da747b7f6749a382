# caught by: test_scores_of_ten_thousand[float32]
"""A small number inside the logarithm: finite, and cut off at its logarithm."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    e = (x.double() - x.detach().amax(dim, keepdim=True)).exp()
    return (e / e.sum(dim, keepdim=True) + 1e-12).log().to(x.dtype)


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, -torch.inf)
    largest = scores.detach().amax(dim, keepdim=True)
    weights = (scores - largest.masked_fill(largest == -torch.inf, 0)).exp()
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)
