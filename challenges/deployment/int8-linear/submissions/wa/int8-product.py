# caught by: test_layer_by_formula[no-bias-float32]
"""Multiplies and adds in int8."""

import torch
from torch import nn


def nonzero(scale):
    return torch.where(scale == 0, torch.ones_like(scale), scale)


def quantize(x, bits=8, symmetric=True):
    high = 2 ** (bits - 1) - 1
    low = -high if symmetric else -high - 1
    ends = torch.cat([x.detach().reshape(-1), x.new_zeros(1)])  # the range contains zero
    if symmetric:
        scale, zero_point = nonzero(ends.abs().max() / high), 0
    else:
        scale = nonzero((ends.max() - ends.min()) / (high - low))
        zero_point = int(torch.round(low - ends.min() / scale))
    q = torch.clamp(torch.round(x.detach() / scale) + zero_point, low, high)
    return q.to(torch.int8), scale, zero_point


def dequantize(q, scale, zero_point):
    return (q.to(scale.dtype) - zero_point) * scale


def by_rows(x):
    scale = nonzero(x.abs().amax(-1, keepdim=True) / 127)
    return torch.round(x / scale).to(torch.int8), scale


class Int8Linear(nn.Module):
    def __init__(self, weight, bias=None):
        super().__init__()
        q, scale = by_rows(weight.detach())
        self.register_buffer("q_weight", q)
        self.register_buffer("scale", scale.squeeze(1))
        self.register_buffer("bias", None if bias is None else bias.detach().clone())

    @torch.no_grad()
    def forward(self, x):
        q, scale = by_rows(x)
        y = (q[..., None, :] * self.q_weight).sum(-1, dtype=torch.int8).to(x.dtype) * scale * self.scale
        return y if self.bias is None else y + self.bias
