"""Rounds to the dtype of x first and multiplies with the gain afterwards, as many language models do."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, d, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.variance_epsilon = eps

    def forward(self, x):
        dtype = x.dtype
        if dtype in (torch.float16, torch.bfloat16):
            x = x.float()
        variance = x.pow(2).mean(dim=-1, keepdim=True)
        normed = (x / torch.sqrt(variance + self.variance_epsilon)).to(dtype)
        return normed * self.weight.to(dtype)
