"""The logarithm of the probability is gathered; weight and factor are multiplied to it."""

import torch
import torch.nn.functional as F
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=None, reduction="mean"):
        super().__init__()
        if gamma < 0:
            raise ValueError("gamma must not be negative")
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"unknown reduction {reduction!r}")
        self.gamma = gamma
        self.reduction = reduction
        weights = None if alpha is None else torch.as_tensor(alpha, dtype=torch.get_default_dtype()).clone()
        self.register_buffer("alpha", weights)

    def forward(self, scores, target):
        log_p = F.log_softmax(scores, dim=1).gather(1, target.unsqueeze(1)).squeeze(1)
        rest = (1 - log_p.exp()).clamp_min(torch.finfo(log_p.dtype).tiny)
        weight = torch.ones_like(log_p) if self.alpha is None else self.alpha[target]
        loss = weight * rest.pow(self.gamma) * -log_p
        if self.reduction == "none":
            return loss
        if self.reduction == "sum":
            return loss.sum()
        return loss.sum() / weight.sum()
