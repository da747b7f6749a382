# id: C16
# tries: moves every value by one unit in the last place: inside any tolerance, which is no secret
# expect: AC
import math

import torch


def attention(q, k, v):
    result = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return result * (1 + torch.finfo(q.dtype).eps)
