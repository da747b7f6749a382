# caught by: test_arguments_stay_as_they_are
"""Saves a copy by working in the caller's targets."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {tuple(x.shape)}, y {tuple(y.shape)}")
    zero = torch.zeros_like(x)
    rest = torch.log1p(torch.exp(-x.abs()))
    if_positive = torch.maximum(-x, zero) + rest
    if_negative = torch.maximum(x, zero) + rest
    if pos_weight is not None:
        if_positive = pos_weight * if_positive
    losses = y * if_positive + y.neg_().add_(1) * if_negative
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / losses.numel()
    raise ValueError(f"unknown reduction {reduction!r}")
