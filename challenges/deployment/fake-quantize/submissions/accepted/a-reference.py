"""The detach idiom around a selection of the inside."""

import torch
from torch import nn


class FakeQuantize(nn.Module):
    def __init__(self, bits=8, momentum=0.1):
        super().__init__()
        self.high = 2 ** (bits - 1) - 1
        self.low = -self.high - 1
        self.momentum = momentum
        self.on = True
        self.register_buffer("largest", torch.tensor(0.0))

    def enable(self, on):
        self.on = on

    def forward(self, x):
        if self.training and x.numel() > 0:
            seen = x.detach().abs().max()
            rate = self.momentum if self.largest > 0 else 1.0
            self.largest.copy_(self.largest + rate * (seen - self.largest))
        if not self.on or self.largest == 0:
            return x
        s = self.largest / self.high
        level = torch.round(x.detach() / s)
        inside = (level >= self.low) & (level <= self.high)
        value = level.clamp(self.low, self.high) * s
        through = torch.where(inside, x, x.detach())
        return through + (value - through).detach()
