"""Reference: all decisions at once, a cumulative product, and one draw from the distribution that each row has chosen."""

import torch
from torch import Tensor


def verify(
    draft_tokens: Tensor, draft_probs: Tensor, target_probs: Tensor, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    B, K, V = draft_probs.shape
    if draft_tokens.shape != (B, K) or target_probs.shape != (B, K + 1, V):
        raise ValueError("draft_tokens (B, K), draft_probs (B, K, V) and target_probs (B, K + 1, V) are needed")
    q = draft_probs.gather(2, draft_tokens[:, :, None]).squeeze(2)
    p = target_probs[:, :K].gather(2, draft_tokens[:, :, None]).squeeze(2)
    u = torch.rand(B, K, dtype=p.dtype, generator=generator)
    accepted = (u * q < p).cumprod(1).sum(1)
    # Behind the last proposal the draft has no distribution: with zeros, the residual there is the target itself.
    wide = torch.cat([draft_probs, torch.zeros_like(target_probs[:, :1])], dim=1)
    rows = torch.arange(B)
    residual = (target_probs[rows, accepted] - wide[rows, accepted]).clamp(min=0)
    residual = torch.where(residual.any(1, keepdim=True), residual, target_probs[rows, accepted])
    drawn = torch.multinomial(residual, 1, generator=generator)
    place, stop = torch.arange(K + 1), accepted[:, None]
    tokens = torch.cat([draft_tokens, drawn], dim=1)
    tokens = torch.where(place < stop, tokens, -1)
    return torch.where(place == stop, drawn, tokens), accepted
