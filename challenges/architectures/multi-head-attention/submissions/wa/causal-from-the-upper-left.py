# caught by: test_causal[short]
"""The causal mask is aligned to the upper left corner instead of the lower right."""

import math

import torch
from torch import nn


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
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head)
        if causal:
            scores = scores.masked_fill(~torch.ones(T, S, dtype=torch.bool).tril(), -math.inf)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1).nan_to_num(0.0)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, D))
