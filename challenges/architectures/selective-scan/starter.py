"""A selective state-space recurrence in three forms."""

from torch import Tensor


def step(h: Tensor | None, x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor) -> tuple[Tensor, Tensor]:
    """One token: x and delta (n, d), A (d, s), B and C (n, s) -> y (n, d) and the new state (n, d, s)"""
    raise NotImplementedError


def scan(a: Tensor, u: Tensor, h: Tensor | None = None) -> Tensor:
    """All states (n, T, d, s) of h_t = a_t h_{t-1} + u_t, without a loop over T."""
    raise NotImplementedError


def chunked(
    x: Tensor, delta: Tensor, A: Tensor, B: Tensor, C: Tensor, size: int, h: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """y (n, T, d) and the state after the last token."""
    raise NotImplementedError
