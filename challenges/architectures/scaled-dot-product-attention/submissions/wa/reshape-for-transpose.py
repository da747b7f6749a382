# caught by: test_agrees_with_loops
"""The keys are reshaped instead of transposed."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
