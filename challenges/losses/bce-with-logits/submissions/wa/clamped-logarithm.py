# caught by: test_hopelessly_wrong
"""The logarithm is cut off at -100, as in a well-known pipeline: a constant without a gradient."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {tuple(x.shape)}, y {tuple(y.shape)}")
    p = torch.sigmoid(x)
    if_positive = -torch.log(p).clamp(min=-100)
    if_negative = -torch.log(1 - p).clamp(min=-100)
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
