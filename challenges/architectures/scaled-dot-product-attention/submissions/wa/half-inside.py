# caught by: test_values[heads]
import math

import torch
from torch import Tensor


def correct(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """(..., T, d), (..., S, d), (..., S, d_v), bool (..., T, S) -> (..., T, d_v)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    if mask is None:
        return scores.softmax(-1) @ v
    allowed = mask.expand_as(scores)
    alive = allowed.any(-1, keepdim=True)  # (..., T, 1): rows with at least one permitted key
    scores = scores.masked_fill(~allowed & alive, -math.inf)  # rows without any stay finite
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v


def attention(q, k, v, mask=None):
    return correct(q.bfloat16(), k.bfloat16(), v.bfloat16(), mask).to(q.dtype)
