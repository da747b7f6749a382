# caught by: test_noise_is_standard_normal
"""rand instead of randn."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    index = torch.arange(n)
    return (index[:, None] + index) % 2


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.linspace(t0, t1, n, dtype=dtype)


def count_like(x: Tensor) -> Tensor:
    return torch.arange(x.numel(), dtype=x.dtype, device=x.device).reshape(x.shape)


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(device=x.device).manual_seed(seed)
    return torch.rand(x.shape, dtype=x.dtype, device=x.device, generator=generator)
