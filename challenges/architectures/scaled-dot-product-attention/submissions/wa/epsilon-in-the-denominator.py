# caught by: test_values[deep]
"""An epsilon of 1e-6 in the softmax's denominator makes every weight slightly too small."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    scores = scores.masked_fill(~allowed, -math.inf)
    if scores.shape[-1]:
        top = scores.detach().amax(-1, keepdim=True)
        scores = scores - top.masked_fill(top == -math.inf, 0.0)
    e = scores.exp()
    return (e / (e.sum(-1, keepdim=True) + 1e-6)) @ v
