# caught by: test_nothing_to_attend_to
"""A loop runs until the weights of every row sum to 1, which never happens for a row without keys."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    weights = scores.softmax(-1) * mask
    while not bool(((weights.sum(-1) - 1).abs() < 1e-6).all()):  # an empty row never sums to one
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-9)
    return weights @ v
