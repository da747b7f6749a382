# caught by: test_scores_of_ten_thousand[float64]
"""One maximum for the whole tensor: lines far below it underflow together."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    shifted = x - x.detach().max()
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, -torch.inf)
    largest = scores.detach().amax(dim, keepdim=True)
    weights = (scores - largest.masked_fill(largest == -torch.inf, 0)).exp()
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)
