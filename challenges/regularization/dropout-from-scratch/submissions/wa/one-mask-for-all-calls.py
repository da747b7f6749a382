# caught by: test_each_call_has_its_own_backward_mask[values]
"""The mask is kept in the layer, so that a second call overwrites what the first needs for its backward pass."""

import torch
from torch import nn


class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, layer):
        ctx.layer = layer
        return x * layer.mask

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.layer.mask, None


class MyDropout(nn.Module):
    def __init__(self, p=0.5, whole_channels=False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError("p must be a probability")
        self.p, self.whole_channels = p, whole_channels

    def forward(self, x):
        if not self.training:
            return x
        shape = x.shape[:2] + (1,) * (x.dim() - 2) if self.whole_channels else x.shape
        mask = torch.empty(shape, dtype=x.dtype, device=x.device).bernoulli_(1 - self.p)
        self.mask = mask / (1 - self.p) if self.p < 1 else mask
        return Drop.apply(x, self)
