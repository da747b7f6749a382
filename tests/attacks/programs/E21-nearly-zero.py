# id: E21
# tries: returns numbers too small to count, in the hope that what is expected is small as well
# expect: WA
import torch


def attention(q, k, v):
    return torch.full_like(q, 1e-12)
