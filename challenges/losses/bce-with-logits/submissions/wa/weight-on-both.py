# caught by: test_weight_of_the_positives
"""The weight multiplies the negatives too."""

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
        if_positive, if_negative = pos_weight * if_positive, pos_weight * if_negative
    losses = y * if_positive + (1 - y) * if_negative
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / losses.numel()
    raise ValueError(f"unknown reduction {reduction!r}")
