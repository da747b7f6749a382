# caught by: test_right_and_sure[weighted-float32]
"""The compact form with one logarithm: x and its maximum cancel, and the tiny rest with them."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {tuple(x.shape)}, y {tuple(y.shape)}")
    zero = torch.zeros_like(x)
    rest = torch.log1p(torch.exp(-x.abs()))
    if_positive = torch.maximum(-x, zero) + rest
    weight = 1 if pos_weight is None else 1 + (pos_weight - 1) * y
    losses = (1 - y) * x + weight * if_positive
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / losses.numel()
    raise ValueError(f"unknown reduction {reduction!r}")
