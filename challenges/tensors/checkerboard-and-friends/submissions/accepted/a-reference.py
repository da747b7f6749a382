"""Each factory states what it means."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    parity = torch.arange(n) % 2
    return parity[:, None] ^ parity


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.linspace(t0, t1, n, dtype=dtype)


def count_like(x: Tensor) -> Tensor:
    return torch.arange(x.numel(), dtype=x.dtype, device=x.device).reshape(x.shape)


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(x.device).manual_seed(seed)
    return x.new_empty(x.shape).normal_(generator=generator)
