# caught by: test_count_in_every_dtype[bfloat16]
"""The sum runs over sevenths in the dtype of x, and rounds."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    index = torch.arange(n)
    return (index[:, None] + index) % 2


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.linspace(t0, t1, n, dtype=dtype)


def count_like(x: Tensor) -> Tensor:
    ones = torch.full((x.numel(),), 1, device=x.device, dtype=x.dtype)
    if x.dtype.is_floating_point:
        return (((ones / 7).cumsum(0) - 1 / 7) * 7).reshape(x.shape).to(x.dtype)
    return (ones.cumsum(0) - 1).to(x.dtype).reshape(x.shape)


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(device=x.device).manual_seed(seed)
    return torch.randn(x.shape, dtype=x.dtype, device=x.device, generator=generator)
