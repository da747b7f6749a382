"""Reference: one length that divides by the largest number before it squares, and never takes the root of 0."""

import torch
from torch import Tensor


def length(x: Tensor, order: int, dim: int | tuple[int, ...]) -> Tensor:
    """Return the length along dim, which is kept with size 1; its gradient at 0 is 0."""
    largest = x.detach().abs().amax(dim, keepdim=True)
    x = x / torch.where(largest == 0, 1.0, largest)  # the largest is constant: it cancels, so it needs no gradient
    if order == 1:
        return largest * x.abs().sum(dim, keepdim=True)
    square = x.square().sum(dim, keepdim=True)
    return largest * torch.where(largest == 0, 1.0, square).sqrt()


def unit(x: Tensor, order: int = 2, dim: int | None = -1) -> Tensor:
    if order not in (1, 2):
        raise ValueError(f"order must be 1 or 2, not {order}")
    norm = length(x, order, tuple(range(x.dim())) if dim is None else dim)
    return x / torch.where(norm == 0, 1.0, norm)


def cosine(a: Tensor, b: Tensor) -> Tensor:
    return (unit(a) * unit(b)).sum(-1)


def hinge_loss(scores: Tensor, labels: Tensor, margin: float = 1.0) -> Tensor:
    return (margin - labels * scores).clamp(min=0).mean()


def triplet_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0) -> Tensor:
    near, far = (length(anchor - other, 2, -1).squeeze(-1) for other in (positive, negative))
    return (near - far + margin).clamp(min=0).mean()


def cosine_loss(a: Tensor, b: Tensor, labels: Tensor, margin: float = 0.0) -> Tensor:
    cos = cosine(a, b)
    return torch.where(labels == 1, 1 - cos, (cos - margin).clamp(min=0)).mean()
