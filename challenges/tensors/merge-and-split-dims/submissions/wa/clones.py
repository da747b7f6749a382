# caught by: test_merge_shares_memory
"""Always a fresh tensor."""

import math

from torch import Tensor


def place(x: Tensor, dim: int) -> int:
    if not -x.dim() <= dim < x.dim():
        raise IndexError(f"dimension {dim} of a tensor with {x.dim()}")
    return dim % x.dim()


def merge_dims(x: Tensor, start: int, end: int) -> Tensor:
    start, end = place(x, start), place(x, end)
    if start > end:
        raise ValueError("start lies after end")
    return x.clone().reshape(*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :])


def split_dim(x: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    dim = place(x, dim)
    whole, known = x.shape[dim], math.prod(size for size in sizes if size != -1)
    if -1 in sizes and known and whole % known == 0:
        sizes = tuple(whole // known if size == -1 else size for size in sizes)
    if math.prod(sizes) != whole or min(sizes) < 0:
        raise ValueError(f"{sizes} do not multiply to {whole}")
    return x.view(*x.shape[:dim], *sizes, *x.shape[dim + 1 :])


def to_heads(x: Tensor, heads: int) -> Tensor:
    return split_dim(x, 2, (heads, -1)).transpose(1, 2)


def from_heads(x: Tensor) -> Tensor:
    return merge_dims(x.transpose(1, 2), 2, 3)
