"""Filters on images of bytes."""

from torch import Tensor


def grey(image: Tensor) -> Tensor:
    """Return the brightness, (..., H, W), of a colour image (..., 3, H, W)."""
    raise NotImplementedError


def threshold(image: Tensor, level: int) -> Tensor:
    """Return 255 where the image is at least level, and 0 elsewhere."""
    raise NotImplementedError


def histogram(image: Tensor, bins: int = 256) -> Tensor:
    """Return how many pixels of each image (H, W) fall into each bin: (..., bins)."""
    raise NotImplementedError


def box_blur(image: Tensor, radius: int) -> Tensor:
    """Return the rounded mean over the square window around each pixel."""
    raise NotImplementedError


def edges(image: Tensor) -> Tensor:
    """Return the strength of the Sobel gradient at each pixel."""
    raise NotImplementedError
