"""One step after the other, with one operator for each, written to its place."""

import torch


def scan(a, b):
    out = torch.empty_like(b)
    before, *rest = out.unbind(0)
    before.copy_(b[0])
    for x, y, h in zip(a.unbind(0)[1:], b.unbind(0)[1:], rest, strict=True):
        before = torch.addcmul(y, x, before, out=h)
    return out
