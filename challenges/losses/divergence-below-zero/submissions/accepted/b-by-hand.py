"""The sums as they stand in the statement."""

import torch


def kl_divergence(p_scores, q_scores):
    log_p, log_q = p_scores.log_softmax(-1), q_scores.log_softmax(-1)
    return torch.einsum("...c,...c->...", log_p.exp(), log_p - log_q).mean()


def js_divergence(p_scores, q_scores):
    both = torch.stack([p_scores, q_scores]).log_softmax(-1)
    middle = both.logsumexp(0) - torch.tensor(2.0, dtype=both.dtype).log()
    return (both.exp() * (both - middle)).sum(-1).mean()
