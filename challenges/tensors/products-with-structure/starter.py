"""Products of matrices with structure."""

from torch import Tensor


def diagonal_product(d: Tensor, x: Tensor, right: bool = False) -> Tensor:
    """Return diag(d) @ x, or x @ diag(d) if right is True."""
    raise NotImplementedError


def triangular_product(a: Tensor, b: Tensor, upper: bool = False) -> Tensor:
    """Return the product of the lower, or upper, triangles of a and b."""
    raise NotImplementedError


def symmetric_product(packed: Tensor, x: Tensor) -> Tensor:
    """Return s @ x, where packed holds the lower triangle of the symmetric s, row by row."""
    raise NotImplementedError


def last_dimension_product(x: Tensor, w: Tensor) -> Tensor:
    """Return the product of the last dimension of x, (..., k), with w, (k, m)."""
    raise NotImplementedError


def matrix_power(a: Tensor, k: int) -> Tensor:
    """Return a to the power of k."""
    raise NotImplementedError
