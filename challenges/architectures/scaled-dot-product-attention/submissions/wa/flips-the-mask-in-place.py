# caught by: test_inputs_are_left_alone
"""The caller's mask is inverted in place."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    hidden = mask.logical_not_()
    alive = (~hidden).expand_as(scores).any(-1, keepdim=True)
    scores = scores.masked_fill(hidden & alive, -math.inf)
    weights = torch.where(alive, scores.softmax(-1), 0.0)
    return weights @ v
