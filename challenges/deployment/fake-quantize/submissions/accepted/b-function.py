"""A torch.autograd.Function with its own backward."""

import torch
from torch import nn


class Grid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step, low, high):
        level = (x / step).round()
        clamped = level.clamp(low, high)
        ctx.save_for_backward(level == clamped)
        return clamped * step

    @staticmethod
    def backward(ctx, gradient):
        (inside,) = ctx.saved_tensors
        return gradient * inside, None, None, None


class FakeQuantize(nn.Module):
    def __init__(self, bits=8, momentum=0.1):
        super().__init__()
        self.bits, self.momentum, self.rounding = bits, momentum, True
        self.largest = nn.Buffer(torch.zeros(()))

    def enable(self, on):
        self.rounding = bool(on)

    @torch.no_grad()
    def observe(self, x):
        seen = x.abs().max()
        if self.largest.item() == 0.0:
            self.largest.fill_(seen)
        else:
            self.largest.lerp_(seen, self.momentum)

    def forward(self, x):
        if self.training and len(x.reshape(-1)):
            self.observe(x)
        if not self.rounding or self.largest.item() == 0.0:
            return x.clone()
        half = 2 ** (self.bits - 1)
        return Grid.apply(x, self.largest / (half - 1), -half, half - 1)
