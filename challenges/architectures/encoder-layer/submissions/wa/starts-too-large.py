# caught by: test_learns_to_copy
"""Weights from a standard normal distribution, not scaled by their width: softmax starts saturated."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads, self.norm_first = heads, norm_first
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        for layer in (self.qkv, self.out, self.up, self.down):
            nn.init.normal_(layer.weight)

    def forward(self, x, key_padding_mask=None):
        if self.norm_first:
            x = x + self.dropout(self.attention(self.norm1(x), key_padding_mask))
            return x + self.dropout(self.feed_forward(self.norm2(x)))
        x = self.norm1(x + self.dropout(self.attention(x, key_padding_mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))

    def attention(self, x, key_padding_mask):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if key_padding_mask is not None:
            scores = scores.masked_fill(key_padding_mask[:, None, None], -torch.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def feed_forward(self, x):
        return self.down(F.relu(self.up(x)))


def sinusoidal_positions(length, d_model):
    steps = torch.arange(length, dtype=torch.float64)[:, None]
    angles = steps / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float()
