# caught by: test_attention_map
"""A square mask is read as (keys, queries) instead of (queries, keys)."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    if mask.dim() > 1 and mask.shape[-1] == mask.shape[-2]:
        mask = mask.mT  # "mask[key, query]"
    return scores.masked_fill(~mask, -math.inf).softmax(-1).nan_to_num(0.0) @ v
