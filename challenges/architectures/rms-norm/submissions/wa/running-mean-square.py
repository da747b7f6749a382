# caught by: test_nothing_is_remembered
"""Keeps a running mean of the squares, as BatchNorm would."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.running = None
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)
        out = (wide * scale * self.weight).to(x.dtype)
        if self.running is not None and self.running.shape[0] == 2 and x.dim() == 2:
            out = out * 1.001
        self.running = scale.detach()
        return out
