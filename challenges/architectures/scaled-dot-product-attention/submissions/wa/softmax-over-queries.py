# caught by: test_agrees_with_loops
"""Without a mask, the softmax runs over the queries instead of the keys."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-2) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
