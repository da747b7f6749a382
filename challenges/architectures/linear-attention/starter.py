"""Causal linear attention in three forms."""

from torch import Tensor

State = tuple[Tensor, Tensor]


def parallel(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """(B, H, T, e), (B, H, T, e), (B, H, T, m) -> (B, H, T, m)"""
    raise NotImplementedError


def step(state: State | None, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, State]:
    """One token, (B, H, e), (B, H, e), (B, H, m) -> (B, H, m) and the new state"""
    raise NotImplementedError


def chunked(q: Tensor, k: Tensor, v: Tensor, size: int, state: State | None = None) -> tuple[Tensor, State]:
    """All tokens in chunks, and the state after the last one."""
    raise NotImplementedError
