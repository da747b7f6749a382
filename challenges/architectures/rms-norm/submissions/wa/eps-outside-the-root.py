# caught by: test_epsilon_is_under_the_root
"""Epsilon is added to the root."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = 1 / (wide.square().mean(-1, keepdim=True).sqrt() + self.eps)
        return (wide * scale * self.weight).to(x.dtype)
