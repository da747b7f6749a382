# id: E12
# tries: returns the same buffer from every call, and overwrites it in the next one
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
