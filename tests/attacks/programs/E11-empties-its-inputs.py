# id: E11
# tries: overwrites its arguments with zeros, so that a reference called afterwards would return zeros too
# expect: WA
import torch


def attention(q, k, v):
    with torch.no_grad():
        for x in (q, k, v):
            x.detach().zero_()
    return torch.zeros_like(q)
