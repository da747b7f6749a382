# caught by: test_large_scores_keep_small_differences[float64]
"""The scores are clamped to ±80, so larger scores lose their differences."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.clamp(-80, 80)
    if mask is None:
        return scores.softmax(-1) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
