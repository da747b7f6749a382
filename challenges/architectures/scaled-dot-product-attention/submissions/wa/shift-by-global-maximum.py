# caught by: test_large_scores_keep_small_differences[float32]
"""The softmax subtracts one maximum for all rows, so rows with much lower scores underflow."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    top = scores.detach().max() if scores.numel() else torch.tensor(0.0)
    e = (scores - (top if top.isfinite() else 0.0)).exp()
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total) @ v
