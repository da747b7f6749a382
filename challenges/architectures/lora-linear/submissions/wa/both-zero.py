# caught by: test_the_start[float32]
"""Both factors start as zeros, and each waits for the other for ever."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LoRALinear(nn.Module):
    def __init__(
        self, weight: Tensor, bias: Tensor | None = None, rank: int = 4, alpha: float = 8.0, dropout: float = 0.0
    ) -> None:
        super().__init__()
        if rank < 1:
            raise ValueError(f"rank must be at least 1, got {rank}")
        d_out, d_in = weight.shape
        self.scale = alpha / rank
        self.dropout = dropout
        self.weight = nn.Parameter(weight.detach().clone(), requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias.detach().clone(), requires_grad=False)
        self.lora_a = nn.Parameter(weight.new_zeros(rank, d_in))
        self.lora_b = nn.Parameter(weight.new_zeros(d_out, rank))

    def forward(self, x: Tensor) -> Tensor:
        seen = F.dropout(x, self.dropout, self.training)
        update = F.linear(F.linear(seen, self.lora_a), self.lora_b)
        return F.linear(x, self.weight, self.bias) + self.scale * update

    @torch.no_grad()
    def merged_weight(self) -> Tensor:
        return self.weight + self.scale * self.lora_b @ self.lora_a
