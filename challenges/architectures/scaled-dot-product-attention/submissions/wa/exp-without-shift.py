# caught by: test_large_scores_keep_small_differences[float32]
"""The softmax does not subtract the maximum of each row, so large scores overflow."""

import math

import torch


def attention(q, k, v, mask=None):
    e = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).exp()
    if mask is not None:
        e = e * mask
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total) @ v
