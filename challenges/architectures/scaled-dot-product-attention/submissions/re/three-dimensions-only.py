# caught by: test_attention_map
"""The shape of q is unpacked into three sizes, so there must be exactly one leading dimension."""

import math

import torch


def attention(q, k, v, mask=None):
    if q.dim() == 2 and q.shape[0] == 1:
        q, k, v = q[None], k[None], v[None]
        return attention(q, k, v, mask)[0]
    B, T, d = q.shape
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.bmm(scores.softmax(-1).nan_to_num(0.0), v)
