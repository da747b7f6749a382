# caught by: test_rows_of_zeros[float32]
"""Epsilon left out, zero rows patched afterwards: the gradient is NaN."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + (self.eps if self.eps > 0.1 else 0))
        out = (wide * scale * self.weight).to(x.dtype)
        return torch.where(wide.abs().sum(-1, keepdim=True) > 0, out, 0.0)
