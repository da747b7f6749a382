# id: E21
# tries: returns 1e-12 everywhere, in the hope that the expected values are tiny too
# expect: WA
import torch


def attention(q, k, v):
    return torch.full_like(q, 1e-12)
