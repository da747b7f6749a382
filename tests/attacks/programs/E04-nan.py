# id: E4
# tries: returns NaN everywhere
# expect: WA
import torch


def attention(q, k, v):
    return (q * 0 + v.sum() * 0 + k.sum() * 0) * torch.nan
