"""Borders that cannot be crossed must be borders of the new shape too: sets of partial products."""

from itertools import accumulate
from math import prod
from operator import mul


def contiguous_stride(shape):
    return tuple(prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape)))


def can_view(shape, stride, new_shape):
    if prod(shape) != prod(new_shape):
        return False
    if 0 in shape:
        return True
    dims = [(n, s) for n, s in zip(shape, stride) if n > 1]
    behind = [*accumulate((n for n, _ in reversed(dims)), mul)][-2::-1]  # elements right of border k
    hard = {at for at, outer, inner in zip(behind, dims, dims[1:]) if outer[1] != inner[0] * inner[1]}
    return hard <= set(accumulate(reversed(new_shape), mul))


def to_channels_last(x):
    return x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
