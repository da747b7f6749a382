"""Four factories."""

import torch
from torch import Tensor


def checkerboard(n: int) -> Tensor:
    """0 and 1 alternating in an (n, n) tensor of int64, 0 in the top left corner."""
    raise NotImplementedError


def time_axis(t0: float, t1: float, n: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """n evenly spaced instants from t0 to t1, both included."""
    raise NotImplementedError


def count_like(x: Tensor) -> Tensor:
    """0, 1, 2, ... in the shape, dtype and device of x, row by row."""
    raise NotImplementedError


def noise_like(x: Tensor, seed: int) -> Tensor:
    """Standard normal noise in the shape, dtype and device of x, repeatable, without touching the global generator."""
    raise NotImplementedError
