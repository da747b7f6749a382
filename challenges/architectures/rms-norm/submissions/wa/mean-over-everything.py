# caught by: test_values_and_gradients[tokens]
"""One root for the whole tensor once there are more than two dimensions."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        dims = tuple(range(1, wide.dim())) or (-1,)
        scale = torch.rsqrt(wide.square().mean(dims, keepdim=True) + self.eps)
        return (wide * scale * self.weight).to(x.dtype)
