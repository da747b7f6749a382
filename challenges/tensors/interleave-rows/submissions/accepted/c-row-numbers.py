"""One after the other, then sorted by row number."""

import torch
from torch import Tensor


def interleave(a: Tensor, b: Tensor) -> Tensor:
    if (a.shape, a.dtype) != (b.shape, b.dtype) or a.shape == ():
        raise ValueError
    n = a.size(0)
    order = torch.arange(2 * n).view(2, n).t().reshape(2 * n)
    return torch.cat([a, b]).index_select(0, order)


def deinterleave(x: Tensor) -> tuple[Tensor, Tensor]:
    if x.shape == () or x.size(0) % 2 != 0:
        raise ValueError
    rows = torch.arange(0, x.size(0), 2)
    return x.index_select(0, rows), x.index_select(0, rows + 1)
