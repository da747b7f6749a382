"""Reference: rows scaled by broadcasting, halves chosen and never multiplied by zeros, and a power by repeated squaring."""

import torch
from torch import Tensor


def diagonal_product(d: Tensor, x: Tensor, right: bool = False) -> Tensor:
    return x * d[..., None, :] if right else d[..., None] * x


def triangular_product(a: Tensor, b: Tensor, upper: bool = False) -> Tensor:
    if upper:
        return a.triu() @ b.triu()
    return a.tril() @ b.tril()


def symmetric_product(packed: Tensor, x: Tensor) -> Tensor:
    n = len(x)
    row, column = torch.tril_indices(n, n)
    place = torch.zeros(n, n, dtype=torch.long)
    place[row, column] = torch.arange(len(packed))
    place[column, row] = torch.arange(len(packed))
    return packed[place] @ x


def last_dimension_product(x: Tensor, w: Tensor) -> Tensor:
    return x @ w


def matrix_power(a: Tensor, k: int) -> Tensor:
    if k < 0:
        raise ValueError("k must not be negative")
    power = torch.eye(a.shape[-1], dtype=a.dtype) + 0 * a  # keeps the leading dimensions, and the graph for k = 0
    while k:
        if k % 2:
            power = power @ a
        k //= 2
        if k:
            a = a @ a
    return power
