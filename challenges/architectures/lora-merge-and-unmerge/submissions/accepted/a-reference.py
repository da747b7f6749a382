"""The merged weight is a buffer that is not saved; unmerging drops it."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None = None, rank: int = 4, alpha: float = 8.0) -> None:
        super().__init__()
        d_out, d_in = weight.shape
        self.scale = alpha / rank
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias, requires_grad=False)
        self.lora_a = nn.Parameter(torch.randn(rank, d_in, dtype=weight.dtype) / d_in**0.5)
        self.lora_b = nn.Parameter(weight.new_zeros(d_out, rank))
        self.register_buffer("whole", None, persistent=False)

    @property
    def merged(self) -> bool:
        return self.whole is not None

    def forward(self, x: Tensor) -> Tensor:
        if self.merged:
            return F.linear(x, self.whole, self.bias)
        update = F.linear(F.linear(x, self.lora_a), self.lora_b)
        return F.linear(x, self.weight, self.bias) + self.scale * update

    @torch.no_grad()
    def merge(self) -> None:
        self.whole = self.weight + self.scale * self.lora_b @ self.lora_a

    def unmerge(self) -> None:
        self.whole = None
