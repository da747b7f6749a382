# caught by: test_rows_without_keys[float32]
"""A row without keys is NaN as soon as there are leading dimensions."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    if q.dim() == 2:  # forgotten for batches
        weights = weights.nan_to_num(0.0)
    return weights @ v
