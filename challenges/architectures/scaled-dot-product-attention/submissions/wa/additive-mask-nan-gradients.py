# caught by: test_gradients_with_rows_without_keys[some]
"""The mask is added to the scores as minus infinity, so a row without keys gets NaN gradients."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ v
