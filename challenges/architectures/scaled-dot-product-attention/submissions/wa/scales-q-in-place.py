# caught by: test_inputs_are_left_alone
"""q is scaled in place, so the caller's tensor changes."""

import math

import torch


def attention(q, k, v, mask=None):
    q.data.div_(math.sqrt(q.shape[-1]))
    scores = q @ k.transpose(-2, -1)
    if mask is None:
        return scores.softmax(-1) @ v
    alive = mask.expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(~mask & alive, -math.inf)
    return torch.where(alive, scores.softmax(-1), 0.0) @ v
