# caught by: test_everything_is_masked
"""A large negative number instead of minus infinity: a fully masked line becomes uniform."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    shifted = x - x.detach().amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    if x.numel() == 0:
        return x.clone()
    scores = x.masked_fill(~mask, torch.finfo(x.dtype).min)
    largest = scores.detach().amax(dim, keepdim=True)
    weights = (scores - largest).exp()
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)
