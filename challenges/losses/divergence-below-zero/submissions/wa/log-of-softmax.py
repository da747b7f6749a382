# caught by: test_scores_of_ten_thousand[kl_divergence-float32]
"""Logarithms, of probabilities that have been rounded to 0."""

import torch.nn.functional as F
from torch import Tensor


def kl_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    """Mean over positions of KL(p ‖ q), from raw scores of shape (…, C)."""
    p = F.softmax(p_scores, dim=-1)
    q = F.softmax(q_scores, dim=-1)
    return F.kl_div(q.log(), p, reduction="none").sum(-1).mean()


def js_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    """Mean over positions of JS(p, q), from raw scores of shape (…, C)."""
    p = F.softmax(p_scores, dim=-1)
    q = F.softmax(q_scores, dim=-1)
    m = (p + q) / 2
    return sum(F.kl_div(m.log(), one, reduction="none").sum(-1).mean() for one in (p, q)) / 2
