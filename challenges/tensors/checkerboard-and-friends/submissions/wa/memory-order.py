# caught by: test_count_follows_indices[transposed]
"""Counts along the memory of x."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    index = torch.arange(n)
    return (index[:, None] + index) % 2


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.linspace(t0, t1, n, dtype=dtype)


def count_like(x: Tensor) -> Tensor:
    count = torch.empty_like(x)
    flat = count.as_strided((count.numel(),), (1,))
    flat.copy_(torch.arange(x.numel(), device=x.device))
    return count


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(device=x.device).manual_seed(seed)
    return torch.randn(x.shape, dtype=x.dtype, device=x.device, generator=generator)
