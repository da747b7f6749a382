# caught by: test_a_module_in_half_precision[float16]
"""The result has the dtype of the weight."""

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
        return (wide * scale).to(x.dtype if self.weight.dtype == torch.float32 else self.weight.dtype) * self.weight.to(
            x.dtype if self.weight.dtype == torch.float32 else self.weight.dtype
        )
