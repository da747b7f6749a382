"""Squares summed by einsum, power -1/2."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((d,), 1.0)))
        self.eps = eps

    def forward(self, x):
        work = torch.float64 if x.dtype is torch.float64 else torch.float32
        y = x.to(work)
        mean = torch.einsum("...i,...i->...", y, y) / x.shape[-1]
        y = torch.einsum("...i,...,i->...i", y, (mean + self.eps) ** -0.5, self.weight.to(work))
        return y.to(x.dtype)
