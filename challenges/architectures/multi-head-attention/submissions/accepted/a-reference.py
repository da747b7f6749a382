"""Split with unflatten and transpose, select with where, merge with transpose and flatten."""

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} cannot be cut into {num_heads} heads of equal width")
        self.num_heads = num_heads
        self.head_width = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        source = x if context is None else context
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(source)), self._split(self.v_proj(source))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_width)  # (B, H, T, S)
        allowed = self._allowed(scores, mask, causal)
        alive = allowed.any(-1, keepdim=True)  # (B, H, T, 1)
        weights = scores.masked_fill(~allowed & alive, -math.inf).softmax(-1)
        merged = (torch.where(alive, weights, 0.0) @ v).transpose(1, 2).flatten(2)  # (B, T, d_model)
        return self.out_proj(merged)

    def _split(self, x: Tensor) -> Tensor:
        """(B, L, d_model) -> (B, H, L, head_width)"""
        return x.unflatten(-1, (self.num_heads, self.head_width)).transpose(1, 2)

    @staticmethod
    def _allowed(scores: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
        T, S = scores.shape[-2:]
        allowed = torch.ones(T, S, dtype=torch.bool, device=scores.device)
        if causal:
            allowed = allowed.tril(S - T)
        return (allowed if mask is None else allowed & mask).expand_as(scores)
