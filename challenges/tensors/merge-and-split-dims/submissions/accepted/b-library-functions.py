"""flatten and unflatten, with the exceptions translated."""

import torch


def merge_dims(x, start, end):
    if range(x.dim())[start] > range(x.dim())[end]:
        raise ValueError("start lies after end")
    return torch.flatten(x, start, end)


def split_dim(x, dim, sizes):
    n = range(x.dim())[dim]
    if -1 in sizes:
        rest = -torch.Size(sizes).numel()
        if rest == 0 or x.size(n) % rest:
            raise ValueError("nothing whole is left")
        sizes = [x.size(n) // rest if s == -1 else s for s in sizes]
    if torch.Size(sizes).numel() != x.size(n):
        raise ValueError("another product")
    return x.unflatten(n, tuple(sizes))


def to_heads(x, heads):
    return x.unflatten(2, (heads, x.size(2) // heads)).permute(0, 2, 1, 3)


def from_heads(x):
    return x.movedim(1, 2).flatten(-2)
