"""The frozen part as buffers, the scale folded into the small intermediate, the products as matmul."""

import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, weight, bias=None, rank=4, alpha=8.0, dropout=0.0):
        super().__init__()
        if rank <= 0:
            raise ValueError("rank")
        self.register_buffer("weight", weight.detach())
        self.register_buffer("bias", None if bias is None else bias.detach())
        self.lora_a = nn.Parameter(torch.empty(rank, weight.shape[1], dtype=weight.dtype))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.lora_b = nn.Parameter(torch.zeros(weight.shape[0], rank, dtype=weight.dtype))
        self.r, self.alpha = rank, alpha
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        out = x @ self.weight.T
        if self.bias is not None:
            out = out + self.bias
        small = self.drop(x) @ self.lora_a.T
        return out + (small * (self.alpha / self.r)) @ self.lora_b.T

    def merged_weight(self):
        return torch.addmm(self.weight, self.lora_b, self.lora_a, alpha=self.alpha / self.r)
