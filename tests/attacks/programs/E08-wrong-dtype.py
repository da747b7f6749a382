# id: E8
# tries: returns right values as bfloat16 and float64
# expect: WA
# message: dtype
import math

import torch


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return out.to(torch.bfloat16 if q.dtype == torch.float64 else torch.float64)
