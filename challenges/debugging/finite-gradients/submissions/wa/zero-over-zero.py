# caught by: test_row_without_positions
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
    zero = x == 0
    safe = torch.where(zero, 1, x)
    return torch.where(zero, 1, torch.sin(safe) / safe)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """Mean of x (B, T, D) over the positions where mask (B, T) is True; zeros for a row without any."""
    total = (x * mask.unsqueeze(-1)).sum(1)
    count = mask.sum(1, keepdim=True)
    return torch.where(count > 0, total / count, torch.zeros_like(total))


def distances(a: Tensor, b: Tensor) -> Tensor:
    squares = (a.unsqueeze(1) - b.unsqueeze(0)).square().sum(-1)
    apart = squares > 0
    return torch.where(apart, torch.sqrt(torch.where(apart, squares, 1)), 0)
