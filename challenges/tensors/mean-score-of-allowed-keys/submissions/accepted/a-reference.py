"""A sum over the allowed scores, divided by a count that is at least 1."""

import math

from torch import Tensor


def masked_scores(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    total = (scores * mask).sum(dim=-1)
    count = mask.sum(dim=-1)
    return total / count.clamp(min=1)
