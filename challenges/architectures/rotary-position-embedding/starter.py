"""Rotary position embedding."""

from torch import Tensor


def rotary(x: Tensor, positions: Tensor | None = None, base: float = 10000.0, interleaved: bool = False) -> Tensor:
    """Rotate the feature pairs of x (..., T, d) by angles that grow with the position."""
    raise NotImplementedError
