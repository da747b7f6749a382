# id: G3
# tries: asks for fifty gigabytes at once
# expect: MLE
import torch


def attention(q, k, v):
    return torch.ones(50 << 30, dtype=torch.uint8)
