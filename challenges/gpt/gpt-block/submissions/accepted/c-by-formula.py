"""Norm and GELU from their formulas; the scores by einsum."""

import math

import torch
from given import CausalSelfAttention, TokenEmbedding
from torch import nn


def normed(layer, x):
    centred = x - x.mean(-1, keepdim=True)
    scale = torch.rsqrt(centred.square().mean(-1, keepdim=True) + layer.eps)
    return centred * scale * layer.weight + layer.bias


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        for name, layer in (
            ("norm1", nn.LayerNorm(width)),
            ("attention", CausalSelfAttention(width, heads)),
            ("norm2", nn.LayerNorm(width)),
            ("up", nn.Linear(width, 4 * width)),
            ("down", nn.Linear(4 * width, width)),
        ):
            self.add_module(name, layer)

    def forward(self, x):
        h = x + self.attention(normed(self.norm1, x))
        u = self.up(normed(self.norm2, h))
        return h + self.down(0.5 * u * (1 + torch.erf(u / math.sqrt(2))))


class GPT(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.embed = TokenEmbedding(vocabulary, context, width)
        self.blocks = nn.ModuleDict({str(i): Block(width, heads) for i in range(layers)})
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.embed(ids)
        for i in range(len(self.blocks)):
            x = self.blocks[str(i)](x)
        return torch.einsum("btw,vw->btv", normed(self.norm, x), self.embed.tokens.weight)
