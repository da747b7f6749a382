"""Rows that alternate."""

from torch import Tensor


def interleave(a: Tensor, b: Tensor) -> Tensor:
    """Rows a0, b0, a1, b1, … Raises ValueError if a and b do not match."""
    raise NotImplementedError


def deinterleave(x: Tensor) -> tuple[Tensor, Tensor]:
    """The even rows and the odd rows. Raises ValueError if their numbers differ."""
    raise NotImplementedError
