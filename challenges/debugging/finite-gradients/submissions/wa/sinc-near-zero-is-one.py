# caught by: test_sinc[float64]
"""The guard comes before the dangerous operation."""

import torch
from torch import Tensor


def root(x: Tensor) -> Tensor:
    above = x >= 1
    return torch.where(above, torch.sqrt(torch.where(above, x, 1)), (1 + x) / 2)


def log_line(x: Tensor) -> Tensor:
    above = x >= 1
    return torch.where(above, torch.log(torch.where(above, x, 1)), x - 1)


def sinc(x: Tensor) -> Tensor:
    zero = x.abs() < 0.01
    safe = torch.where(zero, 1, x)
    return torch.where(zero, 1, torch.sin(safe) / safe)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    total = torch.where(mask.unsqueeze(-1), x, 0).sum(1)
    count = mask.sum(1, keepdim=True)
    return total / count.clamp(min=1)


def distances(a: Tensor, b: Tensor) -> Tensor:
    squares = (a.unsqueeze(1) - b.unsqueeze(0)).square().sum(-1)
    apart = squares > 0
    return torch.where(apart, torch.sqrt(torch.where(apart, squares, 1)), 0)
