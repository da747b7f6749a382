# id: E6
# tries: returns infinity everywhere
# expect: WA
import torch


def attention(q, k, v):
    return torch.full_like(q, torch.inf)
