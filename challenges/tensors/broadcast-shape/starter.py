"""Broadcasting by rule."""

from collections.abc import Sequence


def broadcast_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that tensors of these shapes broadcast to. Raises ValueError if they do not fit together."""
    raise NotImplementedError


def summed_dims(shape: Sequence[int], out: Sequence[int]) -> tuple[int, ...]:
    """The dimensions of `out` along which a tensor of `shape` was repeated, ascending."""
    raise NotImplementedError
