# caught by: test_backward_uses_the_same_mask[values-float32]
"""Draws a second mask in the backward pass."""

import torch
from torch import Tensor, nn


class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, shape: torch.Size, keep: float) -> Tensor:
        ctx.shape, ctx.keep = shape, keep
        return x * x.new_empty(shape).bernoulli_(keep) / max(keep, 1e-30)

    @staticmethod
    def backward(ctx, gradient: Tensor):
        return gradient * gradient.new_empty(ctx.shape).bernoulli_(ctx.keep) / max(ctx.keep, 1e-30), None, None


class MyDropout(nn.Module):
    def __init__(self, p: float = 0.5, whole_channels: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {p}")
        self.p, self.whole_channels = p, whole_channels

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        shape = x.shape[:2] + (1,) * (x.dim() - 2) if self.whole_channels else x.shape
        return Drop.apply(x, shape, 1 - self.p)
