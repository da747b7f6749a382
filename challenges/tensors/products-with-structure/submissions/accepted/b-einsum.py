"""Einsum names the indices; triangles are chosen by masks, and the power goes through its binary digits from the top."""

import torch


def diagonal_product(d, x, right=False):
    return torch.einsum("...ij,...j->...ij" if right else "...ij,...i->...ij", x, d)


def triangular_product(a, b, upper=False):
    n = a.shape[-1]
    row, column = torch.arange(n)[:, None], torch.arange(n)
    outside = row > column if upper else row < column
    return torch.einsum("...ij,...jk->...ik", a.masked_fill(outside, 0), b.masked_fill(outside, 0))


def symmetric_product(packed, x):
    n = x.shape[0]
    low = torch.zeros(n, n, dtype=packed.dtype)
    low = low.masked_scatter(torch.ones(n, n, dtype=torch.bool).tril(), packed)
    return low @ x + low.tril(-1).T @ x


def last_dimension_product(x, w):
    return torch.einsum("...k,km->...m", x, w)


def matrix_power(a, k):
    if k < 0:
        raise ValueError(k)
    if k == 0:
        return a * 0 + torch.eye(a.shape[-1]).to(a.dtype)
    power = a.clone()
    for digit in bin(k)[3:]:
        power = power @ power
        if digit == "1":
            power = a @ power
    return power
