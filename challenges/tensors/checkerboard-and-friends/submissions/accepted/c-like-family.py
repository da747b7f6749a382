"""The like family, an exclusive or of parities, and a generator handed to normal_."""

import torch
from torch import Tensor, arange, linspace


def checkerboard(n: int) -> Tensor:
    odd = arange(n).remainder(2).bool()
    return torch.logical_xor(odd.unsqueeze(1), odd.unsqueeze(0)).long()


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return linspace(start=float(t0), end=float(t1), steps=n, dtype=torch.float64).to(dtype)


def count_like(x: Tensor) -> Tensor:
    return x.new_zeros(()).new_ones(x.numel()).double().cumsum(0).sub(1).to(x.dtype).reshape(x.shape)


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(x.device)
    generator.manual_seed(seed)
    return torch.randn_like(x.detach(), generator=generator)
