"""Keeps the frozen part as buffers, and a flag beside a merged weight that is always there."""

import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, weight, bias=None, rank=4, alpha=8.0):
        super().__init__()
        self.register_buffer("weight", weight.detach().clone())
        self.register_buffer("bias", None if bias is None else bias.detach().clone())
        self.lora_a = nn.Parameter(torch.empty(rank, weight.shape[1], dtype=weight.dtype))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.lora_b = nn.Parameter(torch.zeros(weight.shape[0], rank, dtype=weight.dtype))
        self.register_buffer("served", weight.detach().clone(), persistent=False)
        self.rank, self.alpha = rank, alpha
        self.merged = False

    def merge(self):
        a, b = self.lora_a.detach(), self.lora_b.detach()
        self.served.copy_(torch.addmm(self.weight, b, a, alpha=self.alpha / self.rank))
        self.merged = True

    def unmerge(self):
        self.merged = False

    def forward(self, x):
        out = x @ (self.served if self.merged else self.weight).T
        if not self.merged:
            out = out + (x @ self.lora_a.T * (self.alpha / self.rank)) @ self.lora_b.T
        return out if self.bias is None else out + self.bias
