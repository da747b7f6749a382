# caught by: test_agrees_with_loops
"""Dropout with p = 0.1 is applied to the attention weights."""

import math

import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return F.dropout(scores.softmax(-1).nan_to_num(0.0), p=0.1) @ v
