# caught by: test_one_hot[matrix]
"""The index is read in the order of its memory."""

import torch
from torch import Tensor


def action_log_probs(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, actions.unsqueeze(-1)).squeeze(-1)


def one_hot(idx: Tensor, n: int) -> Tensor:
    flat = idx.as_strided((idx.numel(),), (1,))
    return idx.new_zeros(idx.numel(), n).scatter_(1, flat.unsqueeze(1), 1).reshape(*idx.shape, n)


def segment_sum(values: Tensor, ids: Tensor, n: int) -> Tensor:
    return values.new_zeros(n, *values.shape[1:]).index_add(0, ids, values)


def safe_sqrt(x: Tensor) -> Tensor:
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, torch.ones_like(x)).sqrt(), torch.zeros_like(x))
