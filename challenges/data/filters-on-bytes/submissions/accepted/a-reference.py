"""Reference: whole numbers of 64 bits, prefix sums for the blur, clamped places for the border."""

import torch
import torch.nn.functional as F
from torch import Tensor

WEIGHTS = torch.tensor([299, 587, 114])


def grey(image: Tensor) -> Tensor:
    weighted = (image.long() * WEIGHTS[:, None, None]).sum(-3)
    return ((weighted + 500) // 1000).to(torch.uint8)


def threshold(image: Tensor, level: int) -> Tensor:
    return 255 * (image.long() >= level).to(torch.uint8)


def histogram(image: Tensor, bins: int = 256) -> Tensor:
    if bins < 1:
        raise ValueError("bins must be at least 1")
    place = image.long().flatten(-2) * bins // 256
    counts = place.new_zeros(*image.shape[:-2], bins)
    return counts.scatter_add(-1, place, torch.ones_like(place))


def box_blur(image: Tensor, radius: int) -> Tensor:
    if radius < 0:
        raise ValueError("radius must not be negative")
    total = window_sums(window_sums(image.long(), radius).mT, radius).mT
    inside = torch.ones(image.shape[-2:], dtype=torch.long)
    count = window_sums(window_sums(inside, radius).mT, radius).mT
    return ((2 * total + count) // (2 * count)).to(torch.uint8)


def window_sums(x: Tensor, radius: int) -> Tensor:
    """Return the sum over the places at most `radius` away, along the last dimension."""
    length = x.shape[-1]
    before = F.pad(x.cumsum(-1), (1, 0))  # element i is the sum of the first i
    place = torch.arange(length)
    return before[..., (place + radius + 1).clamp(max=length)] - before[..., (place - radius).clamp(min=0)]


def edges(image: Tensor) -> Tensor:
    height, width = image.shape[-2:]
    rows = torch.arange(-1, height + 1).clamp(0, height - 1)
    columns = torch.arange(-1, width + 1).clamp(0, width - 1)
    x = image.long()[..., rows, :][..., columns]
    across = x[..., 2:] - x[..., :-2]
    down = x[..., 2:, :] - x[..., :-2, :]
    gx = across[..., :-2, :] + 2 * across[..., 1:-1, :] + across[..., 2:, :]
    gy = down[..., :-2] + 2 * down[..., 1:-1] + down[..., 2:]
    return (gx.abs() + gy.abs()).clamp(max=255).to(torch.uint8)
