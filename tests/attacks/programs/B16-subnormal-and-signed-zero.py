# id: B16
# tries: adds the smallest subnormal number and a negative zero to a right answer
# expect: AC
import math

import torch


def attention(q, k, v):
    result = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return result + torch.finfo(q.dtype).smallest_normal * torch.finfo(q.dtype).eps - 0.0
