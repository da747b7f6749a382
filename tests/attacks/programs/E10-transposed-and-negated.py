# id: E10
# tries: returns right values as a transposed view with the negative bit set
# expect: AC
import math

import torch


def attention(q, k, v):
    out = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    return torch._neg_view(-out.mT.contiguous()).mT
