# caught by: test_worked_example
"""The scores are divided by d instead of its square root."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is None:
        return scores.softmax(-1) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
