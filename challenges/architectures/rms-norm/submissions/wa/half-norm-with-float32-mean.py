# caught by: test_half_precision_range[tiny]
"""Squares first and widens afterwards: tiny squares are already zero."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = torch.rsqrt(x.square().to(wide.dtype).mean(-1, keepdim=True) + self.eps)
        return (wide * scale * self.weight).to(x.dtype)
