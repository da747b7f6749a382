# id: E23
# tries: computes all rows but the last, which it leaves uninitialised
# expect: WA
import math

import torch


def attention(q, k, v):
    right = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    out = torch.empty(right.shape, dtype=right.dtype)
    out[..., :-1, :] = right[..., :-1, :].detach()
    return out
