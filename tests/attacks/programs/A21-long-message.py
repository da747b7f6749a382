# id: A21
# tries: makes the failure's text endless
# expect: WA
import torch


def attention(q, k, v):
    return {"x" * 1_000_000: "y" * 1_000_000} if q.dim() == 2 else torch.arange(1_000_000.0)
