# caught by: test_no_keys_at_all[no-mask]
"""The softmax subtracts the maximum of each row, which does not exist when there are no keys."""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    top = scores.detach().amax(-1, keepdim=True)
    e = (scores - top.masked_fill(top == -math.inf, 0.0)).exp()
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, 1.0, total) @ v
