# caught by: test_forbidden_keys_with_giant_scores
"""The mask is applied after the softmax, where a forbidden giant score has already turned all permitted weights into 0."""

import math

import torch


def attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(q.dtype).tiny)
    return weights @ v
