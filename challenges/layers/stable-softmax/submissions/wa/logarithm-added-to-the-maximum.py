# caught by: test_precision_far_from_zero
"""x - (max + log sum): the small logarithm is rounded to the spacing of large numbers."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    top = x.detach().amax(dim, keepdim=True)
    return x - (top + (x - top).exp().sum(dim, keepdim=True).log())


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, -torch.inf)
    largest = scores.detach().amax(dim, keepdim=True)
    weights = (scores - largest.masked_fill(largest == -torch.inf, 0)).exp()
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)
