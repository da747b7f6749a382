# caught by: test_masks[full]
"""All batch items and heads use the first mask."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    while mask.dim() > 2:
        mask = mask[0]
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
