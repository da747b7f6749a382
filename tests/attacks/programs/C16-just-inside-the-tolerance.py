# id: C16
# tries: scales every value by 1 + eps, which every tolerance allows
# expect: AC
import math

import torch


def attention(q, k, v):
    result = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return result * (1 + torch.finfo(q.dtype).eps)
