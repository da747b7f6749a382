"""The strides are computed: as_strided for a view, contiguous for a copy."""

import math
from itertools import pairwise

import torch
from torch import Tensor


def positive(x: Tensor, dim: int) -> int:
    n = dim + x.dim() if dim < 0 else dim
    if n < 0 or n >= x.dim():
        raise IndexError(dim)
    return n


def merge_dims(x: Tensor, start: int, end: int) -> Tensor:
    first, last = positive(x, start), positive(x, end)
    if first > last:
        raise ValueError("reversed")
    sizes, strides = list(x.size()), list(x.stride())
    inside = [(n, s) for n, s in zip(sizes[first : last + 1], strides[first : last + 1]) if n != 1]
    joined = all(outer[1] == inner[0] * inner[1] for outer, inner in pairwise(inside))
    shape = [*sizes[:first], math.prod(sizes[first : last + 1]), *sizes[last + 1 :]]
    if not joined or x.numel() == 0:
        return x.contiguous().view(shape)
    step = inside[-1][1] if inside else 1
    return torch.as_strided(x, shape, [*strides[:first], step, *strides[last + 1 :]], x.storage_offset())


def split_dim(x: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    n = positive(x, dim)
    given = [s for s in sizes if s >= 0]
    if len(given) < len(sizes):
        known = math.prod(given)
        if not known or x.shape[n] % known:
            raise ValueError("indivisible")
        left = x.shape[n] // known
        sizes = [left if s < 0 else s for s in sizes]
    if math.prod(sizes) != x.shape[n]:
        raise ValueError("product")
    step, steps = x.stride(n), []
    for size in reversed(sizes):
        steps.insert(0, step)
        step *= size
    shape = [*x.shape[:n], *sizes, *x.shape[n + 1 :]]
    return x.as_strided(shape, [*x.stride()[:n], *steps, *x.stride()[n + 1 :]])


def to_heads(x: Tensor, heads: int) -> Tensor:
    return split_dim(x, -1, (heads, x.size(-1) // heads)).swapaxes(1, 2)


def from_heads(x: Tensor) -> Tensor:
    return merge_dims(x.swapaxes(1, 2), -2, -1)
