"""einsum, and the frozen layer built inside; only the names of the state dict are on the outside."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, weight, bias=None, rank=4, alpha=8.0, dropout=0.0):
        super().__init__()
        if not rank >= 1:
            raise ValueError(f"rank {rank}")
        self.rank, self.alpha, self.p = rank, alpha, dropout
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, dtype=weight.dtype)
        layer.requires_grad_(False)
        layer.weight.copy_(weight.detach())
        if bias is not None:
            layer.bias.copy_(bias.detach())
        for name in ("weight", "bias"):
            self.register_parameter(name, getattr(layer, name))
        self.lora_a = nn.Parameter(0.02 * torch.randn(rank, weight.shape[1], dtype=weight.dtype))
        self.register_parameter("lora_b", nn.Parameter(torch.zeros_like(weight[:, :1]).repeat(1, rank)))

    def forward(self, x):
        dropped = x
        if self.training and self.p > 0:
            keep = (torch.rand_like(x) >= self.p).to(x.dtype)
            dropped = x * keep / (1 - self.p) if self.p < 1 else 0 * x
        update = torch.einsum("...r,or->...o", torch.einsum("...i,ri->...r", dropped, self.lora_a), self.lora_b)
        out = torch.einsum("...i,oi->...o", x, self.weight) + update * self.alpha / self.rank
        return out if self.bias is None else out + self.bias

    def merged_weight(self):
        with torch.no_grad():
            return self.weight + (self.lora_b @ self.lora_a).mul_(self.alpha).div_(self.rank)
