# id: C11
# tries: returns fresh memory, in the hope that the expected result lay there
# expect: WA
import torch


def attention(q, k, v):
    return torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
