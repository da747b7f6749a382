"""Cross entropy without weights gives minus log p; the factor follows from it."""

import torch
from torch import nn
from torch.nn.functional import cross_entropy


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=None, reduction="mean"):
        super().__init__()
        if gamma < 0 or reduction not in {"none", "mean", "sum"}:
            raise ValueError("gamma must be 0 or more, and reduction none, mean or sum")
        self.gamma, self.reduction = float(gamma), reduction
        if alpha is not None:
            alpha = torch.tensor([float(a) for a in alpha])
        self.register_buffer("alpha", alpha)

    def factor(self, nll):
        if self.gamma == 0:
            return 1.0
        miss = -torch.expm1(-nll)
        # where nothing is missed, the factor is 0 and must not be differentiated
        sure = miss <= 0
        return torch.where(sure, 0.0, torch.where(sure, 1.0, miss) ** self.gamma)

    def forward(self, scores, target):
        nll = cross_entropy(scores, target, reduction="none")
        weight = nll.new_ones(()).expand_as(nll) if self.alpha is None else self.alpha.take(target)
        loss = weight * self.factor(nll) * nll
        if self.reduction == "mean":
            return loss.sum() / weight.sum()
        return loss.sum() if self.reduction == "sum" else loss
