# caught by: test_no_built_in_loss
"""The library's function under a name that the list does not have."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {tuple(x.shape)}, y {tuple(y.shape)}")
    if_positive, if_negative = torch._C._nn.softplus(-x, 1, 50), torch._C._nn.softplus(x, 1, 50)
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
