import torch
from torch import Tensor


def root(x: Tensor) -> Tensor:
    """The square root for x >= 1, below it the tangent (1 + x) / 2."""
    return torch.where(x >= 1, torch.sqrt(x), (1 + x) / 2)


def log_line(x: Tensor) -> Tensor:
    """The logarithm for x >= 1, below it the tangent x - 1."""
    return torch.where(x >= 1, torch.log(x), x - 1)


def sinc(x: Tensor) -> Tensor:
    """sin(x) / x, and 1 at x = 0."""
    return torch.where(x == 0, torch.ones_like(x), torch.sin(x) / x)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """Mean of x (B, T, D) over the positions where mask (B, T) is True; zeros for a row without any."""
    total = (x * mask.unsqueeze(-1)).sum(1)
    count = mask.sum(1, keepdim=True)
    return torch.where(count > 0, total / count, torch.zeros_like(total))


def distances(a: Tensor, b: Tensor) -> Tensor:
    """Euclidean distances (N, M) between the rows of a (N, D) and of b (M, D)."""
    difference = a.unsqueeze(1) - b.unsqueeze(0)
    return torch.sqrt(difference.square().sum(-1))
