# id: C11
# tries: returns uninitialised memory, in the hope that it still holds the expected result
# expect: WA
import torch


def attention(q, k, v):
    return torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
