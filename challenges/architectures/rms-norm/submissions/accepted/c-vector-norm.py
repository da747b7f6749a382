"""The root mean square from a vector norm; epsilon joins under the root."""

import math

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__()
        self.d, self.eps = d, eps
        self.weight = nn.Parameter(torch.empty(d))
        nn.init.ones_(self.weight)

    def forward(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        # the norm of (x, sqrt(d * eps)): no square of its own is needed
        extra = torch.full_like(wide[..., :1], math.sqrt(self.d * self.eps))
        length = torch.linalg.vector_norm(torch.cat([wide, extra], -1), dim=-1, keepdim=True)
        out = wide.mul(math.sqrt(self.d)).div_(length).mul(self.weight)
        return out.to(x.dtype)
