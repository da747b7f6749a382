# caught by: test_probabilities[top-p]
"""What stays in the nucleus keeps its old probabilities."""

import math

import torch
from torch import Tensor


def next_token_probs(
    logits: Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Tensor:
    if temperature < 0:
        raise ValueError(f"temperature must not be negative, got {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, got {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p must be in (0, 1], got {top_p}")
    wide = logits if logits.dtype == torch.float64 else logits.float()
    ranked, ids = wide.sort(dim=-1, descending=True, stable=True)
    rank = torch.arange(logits.shape[-1])
    if temperature == 0:
        probs = (rank < 1).to(wide.dtype).expand_as(ranked)
    else:
        ranked = ranked / temperature
        if top_k is not None:
            ranked = ranked.masked_fill(rank >= top_k, -math.inf)
        probs = ranked.softmax(-1)
        if top_p is not None and top_p < 1:
            before = probs.cumsum(-1) - probs
            probs = probs.masked_fill(before >= top_p, 0.0)
    return torch.zeros_like(wide).scatter(-1, ids, probs)


def sample(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    probs = next_token_probs(logits, temperature, top_k, top_p).detach()
    drawn = torch.multinomial(probs.reshape(-1, logits.shape[-1]), 1, generator=generator)
    return drawn.reshape(logits.shape[:-1])
