"""Reference: one view for each place dimension, then one reduction over all window dimensions."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor


def windows(x: Tensor, sizes: Sequence[int], stride: int, padding: int, fill: float = 0.0) -> Tensor:
    """Return the windows of the padded x, (N, C, *out, places of a window)."""
    if stride < 1:
        raise ValueError("stride must be at least 1")
    x = F.pad(x, [padding] * (2 * len(sizes)), value=fill)
    for dim, size in enumerate(sizes, start=2):
        if size < 1 or size > x.shape[dim]:
            raise ValueError(f"a window of {size} does not fit into {x.shape[dim]} places")
        x = x.unfold(dim, size, stride)
    return x.flatten(-len(sizes))


def convolve(x: Tensor, w: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
    seen = windows(x, w.shape[2:], stride, padding)
    return torch.einsum("bc...k,ock->bo...", seen, w.flatten(2))


def average_pool(
    x: Tensor, size: int, stride: int | None = None, padding: int = 0, count_padding: bool = True
) -> Tensor:
    sizes, step = [size] * (x.dim() - 2), size if stride is None else stride
    total = windows(x, sizes, step, padding).sum(-1)
    ones = x.new_ones(1, 1, *x.shape[2:])
    return total / (size ** len(sizes) if count_padding else windows(ones, sizes, step, padding).sum(-1))


def max_pool(x: Tensor, size: int, stride: int | None = None, padding: int = 0) -> Tensor:
    sizes, step = [size] * (x.dim() - 2), size if stride is None else stride
    return windows(x, sizes, step, padding, fill=-torch.inf).amax(-1)


def causal_depthwise(x: Tensor, w: Tensor, before: Tensor | None = None) -> Tensor:
    reach = w.shape[1]
    x = F.pad(x, (reach - 1, 0)) if before is None else torch.cat([before, x], dim=2)
    return torch.einsum("bctk,ck->bct", x.unfold(2, reach, 1), w)
