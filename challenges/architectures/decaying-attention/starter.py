"""Causal attention with a decay, in three forms."""

from torch import Tensor


def parallel(q: Tensor, k: Tensor, v: Tensor, gamma: Tensor) -> Tensor:
    """Return the outputs of all tokens, (B, H, T, m)."""
    raise NotImplementedError


def step(state: Tensor | None, q: Tensor, k: Tensor, v: Tensor, gamma: Tensor) -> tuple[Tensor, Tensor]:
    """Return the output of the next token, (B, H, m), and the state after it."""
    raise NotImplementedError


def chunked(
    q: Tensor, k: Tensor, v: Tensor, gamma: Tensor, size: int, state: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Return the outputs of all tokens, chunk by chunk, and the state after the last one."""
    raise NotImplementedError
