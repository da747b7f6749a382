"""The verification step of speculative decoding."""

import torch
from torch import Tensor


def verify(
    draft_tokens: Tensor, draft_probs: Tensor, target_probs: Tensor, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """The tokens (B, K + 1) that stay, padded with -1, and how many proposals (B,) were accepted."""
    raise NotImplementedError
