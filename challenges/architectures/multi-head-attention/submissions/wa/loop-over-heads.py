# caught by: test_heads_attend_together[plain]
"""A loop computes the heads one after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Head:
    q: Tensor  # (B, T, e)
    k: Tensor  # (B, S, e)
    v: Tensor  # (B, S, e)
    allowed: Tensor  # (B, T, S)

    def attend(self) -> Tensor:
        scores = torch.bmm(self.q, self.k.transpose(1, 2)).div_(self.q.shape[-1] ** 0.5)
        scores = torch.where(self.allowed, scores, torch.finfo(scores.dtype).min)
        return torch.bmm(scores.softmax(dim=2) * self.allowed, self.v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        if d_model % num_heads:
            raise ValueError("heads of unequal width")
        super().__init__()
        self.width = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def heads(self, x: Tensor, source: Tensor, allowed: Tensor) -> Iterator[Head]:
        cut = [p(y).split(self.width, dim=-1) for p, y in ((self.q_proj, x), (self.k_proj, source), (self.v_proj, source))]
        for h, (q, k, v) in enumerate(zip(*cut, strict=True)):
            yield Head(q, k, v, allowed[:, h])

    def forward(self, x, context=None, mask=None, causal=False):
        source = x if context is None else context
        B, T, D = x.shape
        S = source.size(1)
        allowed = x.new_ones(B, D // self.width, T, S, dtype=torch.bool)
        if causal:
            for t in range(T):
                allowed[:, :, t, max(0, t + S - T + 1) :] = False
        if mask is not None:
            allowed &= mask
        return self.out_proj(torch.cat([head.attend() for head in self.heads(x, source, allowed)], dim=-1))
