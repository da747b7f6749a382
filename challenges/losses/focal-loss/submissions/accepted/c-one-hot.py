"""Everything for all classes at once; a one-hot mask picks the right one."""

import torch
import torch.nn.functional as F
from torch import nn


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, alpha=None, reduction="mean"):
        super().__init__()
        if not gamma >= 0:
            raise ValueError("gamma")
        self.reduce = {"mean": lambda l, w: l.sum() / w.sum(), "sum": lambda l, w: l.sum(), "none": lambda l, w: l}.get(
            reduction
        )
        if self.reduce is None:
            raise ValueError("reduction")
        self.gamma = gamma
        self.register_buffer("alpha", None if alpha is None else torch.as_tensor(alpha).float().detach().clone())

    def forward(self, scores, target):
        classes = scores.shape[1]
        flat = scores.movedim(1, -1).reshape(-1, classes)
        mask = F.one_hot(target.reshape(-1), classes).to(flat.dtype)
        log_p = (torch.log_softmax(flat, -1) * mask).sum(-1)
        p = log_p.exp()
        tiny = torch.finfo(flat.dtype).tiny
        weight = (mask * (1.0 if self.alpha is None else self.alpha)).sum(-1)
        loss = -weight * torch.maximum(1 - p, torch.full_like(p, tiny)) ** self.gamma * log_p
        return self.reduce(loss.reshape(target.shape), weight)
