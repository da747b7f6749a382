"""Crop, score, choose, append."""

import torch
from torch import Tensor, nn


def next_token(
    scores: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    if temperature < 0 or (top_k is not None and top_k < 1):
        raise ValueError("temperature must not be negative, and top_k must be 1 or more")
    if temperature == 0:
        return scores.argmax(-1)
    scores = scores / temperature
    if top_k is not None:
        border = scores.topk(min(top_k, scores.shape[-1])).values[:, -1:]
        scores = scores.masked_fill(scores < border, -torch.inf)
    return torch.multinomial(scores.softmax(-1), 1, generator=generator)[:, 0]


@torch.no_grad()
def generate(
    model: nn.Module,
    ids: Tensor,
    steps: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    end: int | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        text, finished = ids, torch.zeros(len(ids), dtype=torch.bool)
        for step in range(steps):
            if end is not None and finished.all():
                rest = torch.full((len(ids), steps - step), end)
                return torch.cat([text, rest], dim=1)
            scores = model(text[:, -model.embed.context :])[:, -1]
            chosen = next_token(scores, temperature, top_k, generator)
            if end is not None:
                chosen = torch.where(finished, end, chosen)
                finished = finished | (chosen == end)
            text = torch.cat([text, chosen[:, None]], dim=1)
        return text
    finally:
        for module, training in modes:
            module.training = training
