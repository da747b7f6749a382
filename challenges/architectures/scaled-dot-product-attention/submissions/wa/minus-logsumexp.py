# caught by: test_large_scores_keep_small_differences[float32]
"""The weights are exp(scores - logsumexp), and for large scores the rounding of logsumexp spoils them."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    # logsumexp is stable, the difference is not: at 1e6 it has lost every digit behind the point
    return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True)).nan_to_num(0.0) @ v
