"""The answer for one dimension, with reductions over a tuple of dimensions."""

import torch
from torch import Tensor


def log_softmax(x: Tensor, dims: int | tuple[int, ...]) -> Tensor:
    axes = counted(x, dims)
    if x.numel() == 0:
        return torch.empty_like(x)
    shifted = x - x.amax(axes, keepdim=True)
    return shifted - shifted.exp().sum(axes, keepdim=True).log()


def masked_softmax(x: Tensor, mask: Tensor, dims: int | tuple[int, ...]) -> Tensor:
    axes = counted(x, dims)
    if x.numel() == 0:
        return torch.empty_like(x)
    scores = x.masked_fill(~mask, -torch.inf)
    largest = scores.amax(axes, keepdim=True)
    weights = (scores - largest.masked_fill(largest == -torch.inf, 0)).exp()
    total = weights.sum(axes, keepdim=True)
    return weights / total.masked_fill(total == 0, 1)


def counted(x: Tensor, dims: int | tuple[int, ...]) -> tuple[int, ...]:
    """Return the dimensions counted from the front."""
    axes = tuple(dim % x.dim() for dim in ((dims,) if isinstance(dims, int) else dims))
    if not axes or len(set(axes)) < len(axes):
        raise ValueError(f"dims must name at least one dimension, and each once: {dims}")
    return axes
