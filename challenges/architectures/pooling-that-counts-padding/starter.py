"""One vector for each sequence of a padded batch."""

import torch
from torch import Tensor


def real_steps(x: Tensor, lengths: Tensor) -> Tensor:
    """1 at real steps and 0 at padding, of shape (B, T, 1)."""
    steps = torch.arange(x.shape[1], device=x.device)
    return (steps < lengths[:, None]).to(x.dtype).unsqueeze(-1)


def mean_pool(x: Tensor, lengths: Tensor) -> Tensor:
    """The mean over the real steps."""
    return (x * real_steps(x, lengths)).mean(1)


def max_pool(x: Tensor, lengths: Tensor) -> Tensor:
    """The largest real value of each feature."""
    return (x * real_steps(x, lengths)).amax(1)


def attention_pool(x: Tensor, scores: Tensor, lengths: Tensor) -> Tensor:
    """The sum of the real steps, weighted by the softmax of their scores."""
    weights = scores.softmax(1).unsqueeze(-1) * real_steps(x, lengths)
    return (weights * x).sum(1)
