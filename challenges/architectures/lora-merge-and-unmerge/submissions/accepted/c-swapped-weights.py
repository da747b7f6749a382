"""Swaps the weight itself, and puts the frozen one into what is saved."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, weight, bias=None, rank=4, alpha=8.0):
        super().__init__()
        self.s = alpha / rank
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, dtype=weight.dtype)
        layer.requires_grad_(False)
        layer.weight.copy_(weight.detach())
        if bias is not None:
            layer.bias.copy_(bias.detach())
        for name in ("weight", "bias"):
            self.register_parameter(name, getattr(layer, name))
        self.lora_a = nn.Parameter(0.02 * torch.randn(rank, weight.shape[1], dtype=weight.dtype))
        self.lora_b = nn.Parameter(torch.zeros(weight.shape[0], rank, dtype=weight.dtype))
        self.register_buffer("frozen", None, persistent=False)

    @property
    def merged(self):
        return self.frozen is not None

    def merge(self):
        self.unmerge()
        self.frozen = self.weight.detach().clone()
        with torch.no_grad():
            self.weight.add_(torch.einsum("or,ri->oi", self.lora_b, self.lora_a), alpha=self.s)

    def unmerge(self):
        if self.merged:
            with torch.no_grad():
                self.weight.copy_(self.frozen)
            self.frozen = None

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        if self.merged:
            destination[prefix + "weight"] = self.frozen

    def forward(self, x):
        out = torch.einsum("...i,oi->...o", x, self.weight)
        if not self.merged:
            thin = torch.einsum("...i,ri->...r", x, self.lora_a)
            out = out + self.s * torch.einsum("...r,or->...o", thin, self.lora_b)
        return out if self.bias is None else out + self.bias
