# caught by: test_all_options_with_probabilities[mean]
"""Divides by weights where the target holds probabilities, too."""

import torch
from torch import Tensor


def cross_entropy(
    logits: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    dim = min(1, logits.dim() - 1)
    log_p = torch.log_softmax(logits, dim).movedim(dim, -1)
    classes = log_p.shape[-1]
    weight = log_p.new_ones(classes) if weight is None else weight
    losses = -weight * log_p
    if target.is_floating_point():
        q = (1 - label_smoothing) * target.movedim(dim, -1) + label_smoothing / classes
        losses = (q * losses).sum(-1)
        total = (q * weight).sum()
    else:
        ignored = target == ignore_index
        index = target.masked_fill(ignored, 0)
        if ((index < 0) | (index >= classes)).any():
            raise IndexError("a class index is out of range")
        picked = losses.gather(-1, index.unsqueeze(-1)).squeeze(-1)
        if label_smoothing > 0:
            picked = (1 - label_smoothing) * picked + label_smoothing / classes * losses.sum(-1)
        losses = picked.masked_fill(ignored, 0)
        total = weight[index].masked_fill(ignored, 0).sum()
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / total
    raise ValueError(f"unknown reduction {reduction!r}")
