# id: G3
# tries: allocates 50 GB in one call
# expect: MLE
import torch


def attention(q, k, v):
    return torch.ones(50 << 30, dtype=torch.uint8)
