# caught by: test_no_built_in_softmax[log_softmax]
"""A tensor method of the library."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    return x.log_softmax(dim)


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, -torch.inf)
    largest = scores.detach().amax(dim, keepdim=True)
    weights = (scores - largest.masked_fill(largest == -torch.inf, 0)).exp()
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)
