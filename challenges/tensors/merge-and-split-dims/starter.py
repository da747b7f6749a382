"""Dimensions merged and split."""

from torch import Tensor


def merge_dims(x: Tensor, start: int, end: int) -> Tensor:
    """Merge the dimensions start to end, both included; a view whenever strides permit, else a copy."""
    raise NotImplementedError


def split_dim(x: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    """Split one dimension into several. Always a view; one size may be -1."""
    raise NotImplementedError


def to_heads(x: Tensor, heads: int) -> Tensor:
    """(B, T, heads * d) -> (B, heads, T, d), as a view."""
    raise NotImplementedError


def from_heads(x: Tensor) -> Tensor:
    """(B, heads, T, d) -> (B, T, heads * d), the inverse of to_heads; a view whenever strides permit."""
    raise NotImplementedError
