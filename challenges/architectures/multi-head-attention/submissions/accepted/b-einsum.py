"""Weights seen as (head, width, d_model): projection, split and merge are all one einsum each."""

import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("num_heads must divide d_model")
        self.h = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def project(self, layer, x):
        w = layer.weight.view(self.h, -1, layer.in_features)  # (h, e, d)
        y = torch.einsum("bld,hed->bhle", x, w)
        return y if layer.bias is None else y + layer.bias.view(self.h, 1, -1)

    def forward(self, x, context=None, mask=None, causal=False):
        src = context if context is not None else x
        q, k, v = self.project(self.q_proj, x), self.project(self.k_proj, src), self.project(self.v_proj, src)
        logits = torch.einsum("bhte,bhse->bhts", q * q.shape[-1] ** -0.5, k)
        if causal:
            t = torch.arange(x.shape[1], device=x.device)[:, None] + (src.shape[1] - x.shape[1])
            s = torch.arange(src.shape[1], device=x.device)
            logits = logits.masked_fill(s > t, float("-inf"))
        if mask is not None:
            logits = logits.masked_fill(~mask, float("-inf"))
        weights = F.softmax(logits, -1).nan_to_num(nan=0.0)
        w = self.out_proj.weight.view(-1, self.h, v.shape[-1])  # (d, h, e)
        out = torch.einsum("bhts,bhse,dhe->btd", weights, v, w)
        return out if self.out_proj.bias is None else out + self.out_proj.bias
