"""Attention with sinks and a window."""

from torch import Tensor

Cache = tuple[Tensor, Tensor]


def step(
    q: Tensor, k: Tensor, v: Tensor, cache: Cache | None, sinks: int, window: int, base: float = 10000.0
) -> tuple[Tensor, Cache]:
    """The newest token: q and k (B, H, e), v (B, H, m) -> (B, H, m) and the new cache"""
    raise NotImplementedError


def prefill(q: Tensor, k: Tensor, v: Tensor, sinks: int, window: int, base: float = 10000.0) -> tuple[Tensor, Cache]:
    """The first T tokens: q and k (B, H, T, e), v (B, H, T, m) -> (B, H, T, m) and the cache behind them"""
    raise NotImplementedError
