"""An autograd function that keeps the mask for the way back."""

import torch
from torch import nn


class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, keep, factor):
        ctx.save_for_backward(keep)
        ctx.factor = factor
        return x.masked_fill(~keep, 0.0) * factor

    @staticmethod
    def backward(ctx, gradient):
        (keep,) = ctx.saved_tensors
        return gradient.masked_fill(~keep, 0.0) * ctx.factor, None, None


class MyDropout(nn.Module):
    def __init__(self, p=0.5, whole_channels=False):
        super().__init__()
        if not (p >= 0 and p <= 1):
            raise ValueError(p)
        self.keep = 1.0 - p
        self.whole_channels = whole_channels

    def forward(self, x):
        if self.training:
            like = x.detach()
            if self.whole_channels:
                like = like.flatten(2).new_ones(x.shape[:2]) if x.dim() > 2 else like
            keep = torch.bernoulli(torch.full(like.shape, self.keep)).bool()
            while keep.dim() < x.dim():
                keep = keep.unsqueeze(-1)
            return Drop.apply(x, keep.expand_as(x), 1 / self.keep if self.keep > 0 else 0.0)
        return x
