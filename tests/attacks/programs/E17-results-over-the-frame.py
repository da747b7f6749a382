# id: E17
# tries: returns results just above the size limit of a frame
# expect: OLE
# message: 8 MB of values at once
import torch


def attention(q, k, v):
    return torch.zeros((8 << 20) + 64, dtype=torch.uint8)
