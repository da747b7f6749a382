# caught by: test_no_built_in_attention[causal]
"""Reaches the built-in attention through getattr, with a name joined from two strings."""

import torch
from torch import nn

ready = getattr(nn.functional, "scaled_dot_" + "product_attention")


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads, self.head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def split(self, x):
        B, L, _ = x.shape
        return x.view(B, L, self.num_heads, self.head).transpose(1, 2)

    def forward(self, x, context=None, mask=None, causal=False):
        source = x if context is None else context
        B, T, D = x.shape
        S = source.shape[1]
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(source)), self.split(self.v_proj(source))
        allowed = torch.ones(B, self.num_heads, T, S, dtype=torch.bool)
        if causal:
            allowed = allowed.tril(S - T)
        if mask is not None:
            allowed = allowed & mask
        return self.out_proj(ready(q, k, v, allowed).transpose(1, 2).reshape(B, T, D))
