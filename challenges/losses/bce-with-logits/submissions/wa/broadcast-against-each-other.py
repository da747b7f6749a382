# caught by: test_shapes_must_agree[shapes0]
"""(N, 1) against (N,) silently gives N by N losses."""

import torch
from torch import Tensor


def bce_with_logits(x: Tensor, y: Tensor, pos_weight: Tensor | None = None, reduction: str = "mean") -> Tensor:
    zero = torch.zeros_like(x)
    rest = torch.log1p(torch.exp(-x.abs()))
    if_positive = torch.maximum(-x, zero) + rest
    if_negative = torch.maximum(x, zero) + rest
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
