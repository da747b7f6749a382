"""Every element knows its sequence: maxima, sums and weighted sums are scattered to it."""

import math

import torch
from torch import Tensor


def pooled(scores: Tensor, values: Tensor, lengths: Tensor) -> Tensor:
    count = len(lengths)
    owner = torch.arange(count).repeat_interleave(lengths)
    top = scores.new_full((count,), -math.inf).scatter_reduce_(0, owner, scores, "amax")
    weights = (scores - top[owner]).exp()
    total = scores.new_zeros(count).index_add_(0, owner, weights)
    share = weights / total[owner]
    return values.new_zeros(count, values.shape[1]).index_add_(0, owner, share[:, None] * values)
