# caught by: test_scores_of_ten_thousand[kl_divergence-float32]
"""Right values; a target of probabilities that are 0 has an infinite derivative, and its gradient is NaN."""

import torch
from torch.nn import functional as F


def matrix(scores):
    return F.log_softmax(scores.reshape(-1, scores.shape[-1]), 1)


def kl_divergence(p_scores, q_scores):
    return F.kl_div(matrix(q_scores), matrix(p_scores).exp(), reduction="batchmean")


def js_divergence(p_scores, q_scores):
    log_p, log_q = matrix(p_scores), matrix(q_scores)
    shift = torch.maximum(log_p, log_q)
    log_m = shift + (((log_p - shift).exp() + (log_q - shift).exp()) / 2).log()
    halves = [F.kl_div(log_m, one.exp(), reduction="batchmean") for one in (log_p, log_q)]
    return 0.5 * sum(halves)
