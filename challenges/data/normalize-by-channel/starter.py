"""From bytes to normalized pictures, and back."""

from collections.abc import Iterable

from torch import Tensor


def to_float_image(image: Tensor) -> Tensor:
    """Return a uint8 picture (H, W, C) as float32 (C, H, W) with values in [0, 1]."""
    raise NotImplementedError


def channel_statistics(batches: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """Return mean and deviation of each channel over all pixels of all batches (B, C, H, W), as float64."""
    raise NotImplementedError


def normalize(x: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    """Return (x - mean) / std, channel by channel."""
    raise NotImplementedError


def denormalize(z: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    """Undo normalize."""
    raise NotImplementedError
