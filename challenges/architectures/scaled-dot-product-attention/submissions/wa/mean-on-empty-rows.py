# caught by: test_nothing_to_attend_to
"""Forbidden scores become the lowest finite number, so a row without keys gets the mean of the values."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1) @ v
