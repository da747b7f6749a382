# caught by: test_two_actions
"""The logit, without the normalisation."""

import torch
from torch import Tensor


def action_log_probs(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.gather(-1, actions.unsqueeze(-1)).squeeze(-1)


def one_hot(idx: Tensor, n: int) -> Tensor:
    return idx.new_zeros(*idx.shape, n).scatter_(-1, idx.unsqueeze(-1), 1)


def segment_sum(values: Tensor, ids: Tensor, n: int) -> Tensor:
    return values.new_zeros(n, *values.shape[1:]).index_add(0, ids, values)


def safe_sqrt(x: Tensor) -> Tensor:
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, torch.ones_like(x)).sqrt(), torch.zeros_like(x))
