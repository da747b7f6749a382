# caught by: test_board_without_a_loop
"""One assignment for each square."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    board = torch.zeros(n, n, dtype=torch.int64)
    for i in range(n):
        for j in range(n):
            board[i, j] = (i + j) % 2
    return board


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.linspace(t0, t1, n, dtype=dtype)


def count_like(x: Tensor) -> Tensor:
    return torch.arange(x.numel(), dtype=x.dtype, device=x.device).reshape(x.shape)


def noise_like(x: Tensor, seed: int) -> Tensor:
    generator = torch.Generator(device=x.device).manual_seed(seed)
    return torch.randn(x.shape, dtype=x.dtype, device=x.device, generator=generator)
