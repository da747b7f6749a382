# id: C10
# tries: answers the first four calls correctly, in case they are checked, and returns zeros afterwards
# expect: WA
import math

import torch

calls = 0


def attention(q, k, v):
    global calls
    calls += 1
    if calls > 4:
        return torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
