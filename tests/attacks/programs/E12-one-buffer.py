# id: E12
# tries: returns the same buffer each time and overwrites it with the next call
# expect: AC
import math

import torch

buffers = {}


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    if out.requires_grad:
        return out
    buffer = buffers.setdefault(out.shape, torch.empty_like(out))
    buffer.copy_(out)
    return buffer
