# caught by: test_permitted_keys_with_hugely_negative_scores
"""Forbidden scores become -1e9, and permitted scores can be lower than that."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.expand_as(scores).any(-1, keepdim=True)
    return weights @ v
