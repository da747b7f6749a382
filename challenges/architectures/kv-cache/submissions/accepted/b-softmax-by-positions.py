"""Scores and softmax by hand; the mask compares positions."""

import math

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("num_heads must divide d_model")
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.add_module(name, nn.Linear(d_model, d_model))
        self.h, self.e = num_heads, d_model // num_heads

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (layer(x).view(B, T, self.h, self.e).permute(0, 2, 1, 3) for layer in (self.q_proj, self.k_proj, self.v_proj))
        if cache is not None:
            keys, values = cache
            k = torch.cat((keys, k), dim=-2)
            v = torch.cat((values, v), dim=-2)
        total = k.size(-2)
        key_at = torch.arange(total)
        query_at = key_at[total - T :]
        scores = torch.einsum("bhte,bhse->bhts", q, k) / math.sqrt(self.e)
        scores = scores + torch.zeros(T, total, dtype=x.dtype).masked_fill(key_at[None] > query_at[:, None], -math.inf)
        out = torch.einsum("bhts,bhse->bthe", scores.softmax(-1), v).reshape(B, T, D)
        return self.out_proj(out), (k, v)
