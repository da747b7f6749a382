"""One product for q, k and v where the source is x itself; heads folded into the batch for baddbmm."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import linear


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        head, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError("d_model % num_heads must be 0")
        self.num_heads, self.head = num_heads, head
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=bias) for _ in range(4)
        )
        self.register_buffer("triangle", torch.empty(0, 0, dtype=torch.bool), persistent=False)

    def _packed(self, *layers: nn.Linear) -> tuple[Tensor, Tensor | None]:
        weight = torch.cat([layer.weight for layer in layers])
        return weight, None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])

    def _heads(self, x: Tensor) -> Tensor:
        B, L, _ = x.shape
        return x.reshape(B, L, self.num_heads, self.head).permute(0, 2, 1, 3).reshape(B * self.num_heads, L, self.head)

    def _hidden(self, T: int, S: int) -> Tensor:
        """True above the diagonal that ends in the lower right corner; grows when a longer sequence comes by."""
        n = max(T, S)
        if self.triangle.shape[0] < n:
            self.triangle = torch.ones(n, n, dtype=torch.bool, device=self.out_proj.weight.device).triu(1)
        return self.triangle[n - T : n, n - S : n]

    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        B, T, D = x.shape
        if context is None:
            q, k, v = linear(x, *self._packed(self.q_proj, self.k_proj, self.v_proj)).chunk(3, dim=-1)
        else:
            q = self.q_proj(x)
            k, v = linear(context, *self._packed(self.k_proj, self.v_proj)).split(D, dim=-1)
        q, k, v = self._heads(q), self._heads(k), self._heads(v)
        S = k.shape[1]
        bias = torch.zeros(B, self.num_heads, T, S, dtype=x.dtype, device=x.device)
        if causal:
            bias.masked_fill_(self._hidden(T, S), -math.inf)
        if mask is not None:
            bias.masked_fill_(~mask, -math.inf)
        bias = bias.view(B * self.num_heads, T, S)
        dead = (bias == -math.inf).all(-1, keepdim=True)
        bias = bias.masked_fill(dead, 0.0)
        scores = torch.baddbmm(bias, q, k.mT, alpha=self.head**-0.5)
        weights = scores.softmax(-1).masked_fill(dead, 0.0)
        out = torch.bmm(weights, v).view(B, self.num_heads, T, self.head)
        return self.out_proj(out.permute(0, 2, 1, 3).reshape(B, T, D))
