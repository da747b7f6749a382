# caught by: test_nothing_in_common
"""The sum of both halves instead of their mean."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def divergence(log_p: Tensor, log_q: Tensor) -> Tensor:
    return F.kl_div(log_q, log_p, reduction="none", log_target=True).sum(-1).mean()


def kl_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    return divergence(F.log_softmax(p_scores, dim=-1), F.log_softmax(q_scores, dim=-1))


def js_divergence(p_scores: Tensor, q_scores: Tensor) -> Tensor:
    log_p, log_q = F.log_softmax(p_scores, dim=-1), F.log_softmax(q_scores, dim=-1)
    log_m = torch.logaddexp(log_p, log_q) - math.log(2)
    return divergence(log_p, log_m) + divergence(log_q, log_m)
