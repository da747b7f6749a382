# id: E17
# tries: returns one byte expanded to four terabytes
# expect: WA
# message: too large
import torch


def attention(q, k, v):
    return torch.zeros(1, dtype=torch.uint8).expand(1 << 42)
