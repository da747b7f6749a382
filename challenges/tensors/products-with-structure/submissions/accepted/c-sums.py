"""Sums of outer products and places computed by a formula; the power is a recursion."""

import torch


def diagonal_product(d, x, right=False):
    if right:
        return d.unsqueeze(-2).mul(x)
    return (x.mT * d.unsqueeze(-2)).mT


def triangular_product(a, b, upper=False):
    if upper:
        return triangular_product(b.mT, a.mT).mT
    n = a.shape[-1]
    keep = torch.ones(n, n, dtype=torch.bool).tril()
    left, right = torch.where(keep, a, 0.0), torch.where(keep, b, 0.0)
    return sum(left[..., :, i, None] * right[..., None, i, :] for i in range(n))


def symmetric_product(packed, x):
    i = torch.arange(x.shape[0])
    large, small = torch.maximum(i[:, None], i), torch.minimum(i[:, None], i)
    return torch.mm(packed.take(large * (large + 1) // 2 + small), x)


def last_dimension_product(x, w):
    return torch.tensordot(x, w, dims=1)


def matrix_power(a, k):
    if k < 0:
        raise ValueError("negative power")
    if k == 0:
        return torch.diag_embed(torch.ones(a.shape[:-1], dtype=a.dtype)) + torch.zeros_like(a) * a
    half = matrix_power(a, k // 2) if k > 1 else None
    if half is None:
        return a.clone()
    square = torch.matmul(half, half)
    return torch.matmul(square, a) if k % 2 else square
