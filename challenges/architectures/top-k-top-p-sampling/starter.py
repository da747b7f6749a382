"""Temperature, top-k and top-p sampling."""

import torch
from torch import Tensor


def next_token_probs(
    logits: Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Tensor:
    """Probabilities (..., V) of the next token after temperature, top-k and top-p."""
    raise NotImplementedError


def sample(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """One token id (...) for each row of logits (..., V)."""
    raise NotImplementedError
