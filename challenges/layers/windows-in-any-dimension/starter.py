"""Convolution and pooling for sequences, images and volumes."""

from torch import Tensor


def convolve(x: Tensor, w: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
    """Return the convolution of x, (N, C, *places), with w, (O, C, *sizes)."""
    raise NotImplementedError


def average_pool(
    x: Tensor, size: int, stride: int | None = None, padding: int = 0, count_padding: bool = True
) -> Tensor:
    """Return the mean of each window of x, (N, C, *places)."""
    raise NotImplementedError


def max_pool(x: Tensor, size: int, stride: int | None = None, padding: int = 0) -> Tensor:
    """Return the largest number of each window of x, (N, C, *places)."""
    raise NotImplementedError


def causal_depthwise(x: Tensor, w: Tensor, before: Tensor | None = None) -> Tensor:
    """Return, for each channel of x, (N, C, T), the convolution with its own row of w, (C, k), that sees no later place."""
    raise NotImplementedError
