# caught by: test_divergence_by_hand
"""The sign is turned until nothing is negative."""

import torch.nn.functional as F
from torch import Tensor


def kl_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    """Mean over positions of KL(p ‖ q), from raw scores of shape (…, C)."""
    p = F.softmax(p_scores, dim=-1)
    q = F.softmax(q_scores, dim=-1)
    return F.kl_div(q, p, reduction="mean").abs()


def js_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    """Mean over positions of JS(p, q), from raw scores of shape (…, C)."""
    p = F.softmax(p_scores, dim=-1)
    q = F.softmax(q_scores, dim=-1)
    m = (p + q) / 2
    return (F.kl_div(m, p, reduction="batchmean") + F.kl_div(m, q, reduction="batchmean")).abs() / 2
