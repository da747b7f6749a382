# caught by: test_segments_are_apart[inf]
"""A product with one-hot rows: 0 times infinity reaches every segment."""

import torch
from torch import Tensor


def action_log_probs(logits: Tensor, actions: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, actions.unsqueeze(-1)).squeeze(-1)


def one_hot(idx: Tensor, n: int) -> Tensor:
    return idx.new_zeros(*idx.shape, n).scatter_(-1, idx.unsqueeze(-1), 1)


def segment_sum(values: Tensor, ids: Tensor, n: int) -> Tensor:
    return torch.tensordot(one_hot(ids, n).to(values.dtype), values, dims=([0], [0]))


def safe_sqrt(x: Tensor) -> Tensor:
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, torch.ones_like(x)).sqrt(), torch.zeros_like(x))
