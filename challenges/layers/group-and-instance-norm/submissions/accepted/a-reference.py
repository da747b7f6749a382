"""Groups as a dimension of their own; the gain in the shape of a channel."""

import torch
from torch import Tensor, nn


class GroupNorm(nn.Module):
    def __init__(self, groups: int, channels: int, eps: float = 1e-5, affine: bool = True) -> None:
        super().__init__()
        if groups < 1 or channels % groups:
            raise ValueError(f"{groups} groups do not divide {channels} channels")
        self.groups, self.channels, self.eps = groups, channels, eps
        if affine:
            self.weight = nn.Parameter(torch.ones(channels))
            self.bias = nn.Parameter(torch.zeros(channels))
        else:
            self.weight = self.bias = None

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim < 2 or x.shape[1] != self.channels:
            raise ValueError(f"expected {self.channels} channels, got the shape {tuple(x.shape)}")
        grouped = x.reshape(len(x), self.groups, -1)
        centred = grouped - grouped.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        out = (centred * torch.rsqrt(variance + self.eps)).reshape(x.shape)
        if self.weight is not None:
            shape = (1, -1) + (1,) * (x.ndim - 2)
            out = out * self.weight.view(shape) + self.bias.view(shape)
        return out
