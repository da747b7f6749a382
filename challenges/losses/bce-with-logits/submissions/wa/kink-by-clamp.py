# caught by: test_gradient_at_zero[float64]
"""clamp passes the whole gradient of a tie."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {tuple(x.shape)}, y {tuple(y.shape)}")
    rest = torch.log1p(torch.exp(-x.abs()))
    if_positive = (-x).clamp(min=0) + rest
    if_negative = x.clamp(min=0) + rest
    if pos_weight is not None:
        if_positive = pos_weight * if_positive
    losses = y * if_positive + (1 - y) * if_negative
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / losses.numel()
    raise ValueError(f"unknown reduction {reduction!r}")
