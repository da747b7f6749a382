"""Sliding-window attention with a ring cache."""

from torch import Tensor

Cache = tuple[Tensor, Tensor, Tensor]


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, slopes: Tensor, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    """The output (B, H, T, e) of the newest tokens, and the cache (keys, values, positions) behind them."""
    raise NotImplementedError
