"""The gradient of clamp does the selection; a forward hook does not, everything is in forward."""

import torch
from torch import nn


class FakeQuantize(nn.Module):
    largest: torch.Tensor

    def __init__(self, bits=8, momentum=0.1):
        super().__init__()
        self.levels = float(2 ** (bits - 1))
        self.rate = momentum
        self.active = True
        self.register_buffer("largest", torch.zeros(1).squeeze())

    def enable(self, on):
        self.active = on

    def forward(self, x):
        if self.training and x.nelement():
            m = torch.linalg.vector_norm(x.detach(), ord=float("inf"))
            old = self.largest.clone()
            self.largest = torch.where(old == 0, m, old + self.rate * (m - old))
        if not (self.active and float(self.largest) > 0):
            return x * 1
        low, high = -self.levels, self.levels - 1
        step = self.largest / high
        soft = torch.clamp(x / step, low - 0.5, high + 0.5)
        hard = torch.clamp((x / step).round(), low, high)
        return (soft + (hard - soft).detach()) * step
