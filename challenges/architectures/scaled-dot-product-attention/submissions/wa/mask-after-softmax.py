# caught by: test_attention_map
"""The mask is applied after the softmax, so the weights of a row no longer sum to 1."""

import math

import torch


def attention(q, k, v, mask=None):
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v
