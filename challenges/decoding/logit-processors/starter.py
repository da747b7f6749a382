"""Logit processors."""

from torch import Tensor


def allowed_tokens(tokens: Tensor, table: Tensor) -> Tensor:
    """Which tokens may follow each text (B, T), as a bool tensor (B, V)."""
    raise NotImplementedError


def process_logits(
    logits: Tensor,
    tokens: Tensor,
    table: Tensor | None = None,
    repetition_penalty: float = 1.0,
    frequency_penalty: float = 0.0,
    temperature: float = 1.0,
    min_p: float = 0.0,
) -> Tensor:
    """The logits (B, V) after grammar, penalties, temperature and min-p."""
    raise NotImplementedError
