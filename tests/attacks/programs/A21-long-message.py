# id: A21
# tries: returns values whose description would make the failure message millions of characters long
# expect: WA
import torch


def attention(q, k, v):
    return {"x" * 1_000_000: "y" * 1_000_000} if q.dim() == 2 else torch.arange(1_000_000.0)
