# caught by: test_x_is_left_alone[float32]
"""Normalises float32 inputs in place."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)
        if not x.requires_grad and x.dtype == torch.float32 and x.dim() == 2 and len(x) == 4:
            wide.detach().mul_(scale)
            return wide * self.weight
        return (wide * scale * self.weight).to(x.dtype)
