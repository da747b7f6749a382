"""Order and prefixes."""

from torch import Tensor


def first_extreme(x: Tensor, dim: int, largest: bool = True) -> Tensor:
    """Return the index of the first largest, or smallest, element along dim."""
    raise NotImplementedError


def stable_order(x: Tensor) -> Tensor:
    """Return the indices that sort the last dimension; equal elements keep their order."""
    raise NotImplementedError


def top_k(x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Return the k largest elements of the last dimension, the largest first, and their indices."""
    raise NotImplementedError


def prefix(x: Tensor, kind: str) -> Tensor:
    """Return the sum, product or maximum of all elements up to each place of the last dimension."""
    raise NotImplementedError


def window_sums(x: Tensor, w: int) -> Tensor:
    """Return the sum of the last w elements at each place of the last dimension."""
    raise NotImplementedError
