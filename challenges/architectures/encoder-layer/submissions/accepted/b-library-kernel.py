"""scaled_dot_product_attention does the attention; the order of norms is chosen once, in the constructor."""

import torch
from torch import nn
from torch.nn import functional as F


class EncoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        if d_model % heads != 0:
            raise ValueError(f"{heads} heads for {d_model} features")
        self.qkv = nn.Linear(d_model, d_model * 3)
        self.out = nn.Linear(d_model, d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.h, self.p = heads, dropout
        self.block = self._pre if norm_first else self._post

    def _drop(self, x):
        return F.dropout(x, self.p, self.training)

    def _pre(self, x, norm, branch):
        return x + self._drop(branch(norm(x)))

    def _post(self, x, norm, branch):
        return norm(x + self._drop(branch(x)))

    def forward(self, x, key_padding_mask=None):
        allowed = None if key_padding_mask is None else ~key_padding_mask[:, None, None]

        def attend(y):
            b, t, d = y.shape
            q, k, v = self.qkv(y).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
            p = self.p if self.training else 0.0
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, dropout_p=p)
            return self.out(mixed.permute(0, 2, 1, 3).reshape(b, t, d))

        x = self.block(x, self.norm1, attend)
        return self.block(x, self.norm2, lambda y: self.down(self._drop(self.up(y).clamp(min=0))))


def sinusoidal_positions(length, d_model):
    table = torch.empty(length, d_model)
    frequency = torch.exp(torch.arange(0, d_model, 2) * (-torch.log(torch.tensor(10000.0)) / d_model))
    angle = torch.arange(length).float()[:, None] * frequency
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
