# caught by: test_one_row
"""Newton steps for the root, until nothing changes any more."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, d: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        target = wide.square().mean(-1, keepdim=True) + self.eps
        scale, before = torch.ones_like(target), None
        while before is None or not torch.equal(scale, before) or True:
            before, scale = scale, scale * (1.5 - 0.5 * target * scale * scale)
        return (wide * scale * self.weight).to(x.dtype)
