"""Einsum over heads, a large negative number for the mask, weights taken apart by hand."""

import torch
from torch import nn


class EncoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.width, rest = divmod(d_model, heads)
        if rest:
            raise ValueError("d_model must be a multiple of heads")
        self.heads, self.norm_first = heads, norm_first
        self.norm2 = nn.LayerNorm(d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.down = nn.Linear(d_ff, d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.out = nn.Linear(d_model, d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.drop_attention, self.drop_network = nn.Dropout(dropout), nn.Dropout(dropout)

    def mix(self, x, padding):
        weight = self.qkv.weight.view(3, self.heads, self.width, -1)
        bias = self.qkv.bias.view(3, 1, self.heads, 1, self.width)
        q, k, v = torch.einsum("btd,nhwd->nbhtw", x, weight) + bias
        scores = torch.einsum("bhtw,bhsw->bhts", q * self.width**-0.5, k)
        if padding is not None:
            lowest = torch.finfo(x.dtype).min
            scores = torch.where(padding[:, None, None, :], lowest, scores)
        shares = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
        mixed = torch.einsum("bhts,bhsw->bthw", shares, v)
        return self.drop_attention(self.out(mixed.reshape(x.shape)))

    def think(self, x):
        return self.drop_network(self.down(torch.relu(self.up(x))))

    def forward(self, x, key_padding_mask=None):
        for norm, branch in ((self.norm1, lambda y: self.mix(y, key_padding_mask)), (self.norm2, self.think)):
            x = x + branch(norm(x)) if self.norm_first else norm(x + branch(x))
        return x


def sinusoidal_positions(length, d_model):
    column = torch.arange(d_model)
    frequency = torch.pow(10000.0, -(column - column % 2).double() / d_model)
    angle = torch.outer(torch.arange(length).double(), frequency)
    return torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle)).to(torch.float32)
