# id: E10
# tries: returns right values with odd strides and storage offsets
# expect: AC
import math

import torch


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    room = torch.zeros(*out.shape[:-1], 3 * out.shape[-1] + 1, dtype=out.dtype)
    if out.requires_grad:
        return torch.cat([out * 0, out], -1)[..., out.shape[-1] :]
    room[..., 1::3] = out
    return room[..., 1::3]
