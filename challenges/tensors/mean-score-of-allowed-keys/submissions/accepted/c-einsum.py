"""einsum for the scores, where for the mask."""

import torch
from torch import Tensor


def masked_scores(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    scores = torch.einsum("...nd,...md->...nm", q / q.shape[-1] ** 0.5, k)
    kept = torch.where(mask, scores, torch.zeros_like(scores))
    count = torch.count_nonzero(mask, dim=-1)
    return kept.sum(-1).div(torch.maximum(count, torch.ones_like(count)))
