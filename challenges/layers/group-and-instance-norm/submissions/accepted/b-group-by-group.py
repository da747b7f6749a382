"""One group after the other."""

import torch
from torch import nn


class GroupNorm(nn.Module):
    def __init__(self, groups, channels, eps=1e-5, affine=True):
        super().__init__()
        if groups <= 0 or channels % groups != 0:
            raise ValueError("groups must divide channels")
        self.size, self.channels, self.eps = channels // groups, channels, eps
        self.register_parameter("weight", nn.Parameter(torch.ones(channels)) if affine else None)
        self.register_parameter("bias", nn.Parameter(torch.zeros(channels)) if affine else None)

    def forward(self, x):
        if x.size(1) != self.channels:
            raise ValueError("wrong number of channels")
        parts = []
        for part in x.split(self.size, dim=1):
            dims = tuple(range(1, x.dim()))
            mean = part.mean(dims, keepdim=True)
            var = part.var(dims, unbiased=False, keepdim=True)
            parts.append((part - mean) / (var + self.eps).sqrt())
        y = torch.cat(parts, 1)
        if self.weight is None:
            return y
        y = y.movedim(1, -1)
        return (y * self.weight + self.bias).movedim(-1, 1)
