"""Sums in float64, and statistics with the shape of the channels."""

from collections.abc import Iterable

import torch
from torch import Tensor


def to_float_image(image: Tensor) -> Tensor:
    return image.permute(2, 0, 1).float() / 255


def channel_statistics(batches: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    n, total, squares = 0, 0.0, 0.0
    for x in batches:
        x = x.double()
        n += x.numel() // x.shape[1]
        total = total + x.sum((0, 2, 3))
        squares = squares + x.square().sum((0, 2, 3))
    mean = total / n
    variance = squares / n - mean**2
    return mean, variance.clamp(min=0).sqrt()


def column(values: Tensor, like: Tensor) -> Tensor:
    return values[:, None, None].to(like.dtype)


def divisor(std: Tensor) -> Tensor:
    return torch.where(std < 1e-6, 1.0, std)


def normalize(x: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    return (x - column(mean, x)) / column(divisor(std), x)


def denormalize(z: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    return z * column(divisor(std), z) + column(mean, z)
