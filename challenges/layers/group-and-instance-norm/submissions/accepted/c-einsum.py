"""Unflattened channels; statistics by var_mean; the gain by einsum."""

import torch
from torch import nn


class GroupNorm(nn.Module):
    def __init__(self, groups, channels, eps=1e-5, affine=True):
        super().__init__()
        if groups < 1 or channels // groups * groups != channels:
            raise ValueError((groups, channels))
        self.shape = (groups, channels // groups)
        self.eps = eps
        self.affine = affine
        if affine:
            self.bias = nn.Parameter(torch.full((channels,), 0.0))
            self.weight = nn.Parameter(torch.full((channels,), 1.0))

    def forward(self, x):
        groups, size = self.shape
        if x.shape[1] != groups * size:
            raise ValueError("channels")
        y = x.unflatten(1, self.shape).flatten(3) if x.ndim > 2 else x.unflatten(1, self.shape).unsqueeze(-1)
        var, mean = torch.var_mean(y, dim=(2, 3), correction=0, keepdim=True)
        y = ((y - mean) / torch.sqrt(var + self.eps)).reshape(x.shape)
        if self.affine:
            y = torch.einsum("nc...,c->nc...", y, self.weight)
            y = y + self.bias.reshape(-1, *[1] * (x.ndim - 2))
        return y
