"""The gradient σ(z) is written by hand, so that kinks do not matter; the forward pass branches by sign."""

import torch
from torch.autograd import Function


class LogOnePlusExp(Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return torch.where(z > 0, z, 0.0) + (-z.abs()).exp().log1p()

    @staticmethod
    def backward(ctx, gradient):
        (z,) = ctx.saved_tensors
        return gradient * z.sigmoid()


def bce_with_logits(x, y, pos_weight=None, reduction="mean"):
    if list(x.shape) != list(y.shape):
        raise ValueError("x and y must have the same shape")
    losses = LogOnePlusExp.apply(x).mul(1 - y)
    yes = LogOnePlusExp.apply(-x).mul(y)
    losses = losses + (yes if pos_weight is None else yes * pos_weight)
    match reduction:
        case "mean":
            return losses.mean()
        case "sum":
            return losses.sum()
        case "none":
            return losses
    raise ValueError(reduction)
