"""Strides."""

from collections.abc import Sequence

from torch import Tensor


def contiguous_stride(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a contiguous tensor of this shape."""
    raise NotImplementedError


def can_view(shape: Sequence[int], stride: Sequence[int], new_shape: Sequence[int]) -> bool:
    """Whether a tensor of this shape and stride can be viewed in the new shape."""
    raise NotImplementedError


def to_channels_last(x: Tensor) -> Tensor:
    """The same images with the channels fastest in memory; x's own memory if it lies so already."""
    raise NotImplementedError
