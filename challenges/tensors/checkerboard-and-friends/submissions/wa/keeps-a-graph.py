# caught by: test_noise_knows_nothing_of_the_values[requires-grad]
"""The noise is part of the graph of x."""

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
    noise = torch.randn(x.shape, dtype=x.dtype, device=x.device, generator=generator)
    return torch.where(torch.ones_like(x, dtype=torch.bool), noise, x)
