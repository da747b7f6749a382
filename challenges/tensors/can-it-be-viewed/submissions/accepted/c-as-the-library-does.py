"""A recursive version: either the last dimensions join, or a block ends here."""

import math

import torch


def contiguous_stride(shape):
    if not shape:
        return ()
    *_, last = shape
    rest = contiguous_stride(tuple(shape[:-1]))
    return (*(s * (last or 1) for s in rest), 1)


def can_view(shape, stride, new_shape):
    if math.prod(shape) != math.prod(new_shape):
        return False
    if math.prod(shape) == 0:
        return True
    dims = [[n, s] for n, s in zip(shape, stride, strict=True) if n != 1]
    for d in range(len(dims) - 1, 0, -1):
        (outer_n, outer_s), (n, s) = dims[d - 1 : d + 1]
        if outer_s == n * s:
            dims[d - 1 : d + 1] = [[outer_n * n, s]]
    return fits([n for n, _ in dims], [n for n in new_shape if n != 1])


def fits(blocks, sizes):
    if not sizes:
        return not blocks
    if not blocks or blocks[-1] % sizes[-1]:
        return False
    left = blocks[-1] // sizes[-1]
    return fits(blocks[:-1] + ([left] if left > 1 else []), sizes[:-1])


def to_channels_last(x):
    if x.is_contiguous(memory_format=torch.channels_last):
        return x
    return x.to(memory_format=torch.channels_last, copy=True)
