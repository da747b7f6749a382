"""A new dimension for the pair, right behind the rows."""

import torch
from torch import Tensor


def interleave(a: Tensor, b: Tensor) -> Tensor:
    if a.shape != b.shape or a.dtype != b.dtype:
        raise ValueError("the tensors differ in shape or dtype")
    if not a.dim():
        raise ValueError("a tensor without dimensions has no rows")
    return torch.stack((a, b), dim=1).flatten(0, 1)


def deinterleave(x: Tensor) -> tuple[Tensor, Tensor]:
    if not x.dim() or len(x) % 2:
        raise ValueError("an even number of rows is needed")
    a, b = x.unflatten(0, (-1, 2)).unbind(1)
    return a, b
