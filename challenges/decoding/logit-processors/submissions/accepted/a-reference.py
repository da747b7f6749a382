"""Reference: counts by comparison with the vocabulary, one loop over positions for the automaton, min-p in log space."""

import math

import torch
from torch import Tensor


def allowed_tokens(tokens: Tensor, table: Tensor) -> Tensor:
    state = torch.zeros(len(tokens), dtype=torch.int64)
    for token in tokens.unbind(1):
        following = table[state, token.clamp(min=0)]
        state = torch.where(token < 0, state, following)
        if (state < 0).any():
            raise ValueError("a text contains a token where it is forbidden")
    return table[state] >= 0


def process_logits(
    logits: Tensor,
    tokens: Tensor,
    table: Tensor | None = None,
    repetition_penalty: float = 1.0,
    frequency_penalty: float = 0.0,
    temperature: float = 1.0,
    min_p: float = 0.0,
) -> Tensor:
    if repetition_penalty <= 0 or temperature <= 0:
        raise ValueError("repetition_penalty and temperature must be positive")
    if not 0 <= min_p <= 1:
        raise ValueError(f"min_p must lie in [0, 1], got {min_p}")
    if table is not None:
        logits = logits.masked_fill(~allowed_tokens(tokens, table), -math.inf)
    counts = (tokens[:, :, None] == torch.arange(logits.shape[1])).sum(1)
    penalised = torch.where(logits > 0, logits / repetition_penalty, logits * repetition_penalty)
    logits = torch.where(counts > 0, penalised, logits)
    logits = logits - frequency_penalty * counts.to(logits.dtype)
    logits = logits / temperature
    if min_p > 0:
        border = logits.amax(1, keepdim=True) + math.log(min_p)
        logits = logits.masked_fill(logits < border, -math.inf)
    return logits
