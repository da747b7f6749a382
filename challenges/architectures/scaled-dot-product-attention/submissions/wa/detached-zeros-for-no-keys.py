# caught by: test_no_keys_at_all[no-mask]
"""Without keys, the output is a new tensor of zeros that is not connected to the graph."""

import math

import torch


def attention(q, k, v, mask=None):
    if k.shape[-2] == 0:
        return q.new_zeros(*q.shape[:-1], v.shape[-1])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
