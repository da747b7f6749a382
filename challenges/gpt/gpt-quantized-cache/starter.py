"""A cache of keys and values in eight bits."""

from torch import Tensor

Cache = tuple[Tensor, Tensor, Tensor, Tensor]


def quantize(x: Tensor) -> tuple[Tensor, Tensor]:
    """(..., e) -> int8 of the same shape, and scales (..., 1)"""
    raise NotImplementedError


def dequantize(q: Tensor, scale: Tensor) -> Tensor:
    """The real numbers again."""
    raise NotImplementedError


def append(cache: Cache | None, keys: Tensor, values: Tensor) -> Cache:
    """The cache with the tokens of keys and values (B, H, T, e) at its end."""
    raise NotImplementedError


def attend(queries: Tensor, cache: Cache) -> Tensor:
    """Attention of queries (B, H, T, e) over the cache."""
    raise NotImplementedError
