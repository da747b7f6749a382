# id: E10
# tries: returns wrong values in a tensor whose elements overlap in memory
# expect: WA
import torch


def attention(q, k, v):
    return torch.arange(64, dtype=q.dtype).as_strided(q.shape, (1,) * q.dim())
