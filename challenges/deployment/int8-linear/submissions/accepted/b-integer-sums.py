"""Integer sums in int32, ranges from aminmax, plain Python for the zero point."""

import torch
from torch import nn


def quantize(x, bits=8, symmetric=True):
    levels = 2**bits
    top = levels // 2 - 1
    if x.numel() == 0:
        return x.to(torch.int8), torch.ones((), dtype=x.dtype), 0
    low, high = torch.aminmax(x)
    low, high = low.clamp(max=0), high.clamp(min=0)
    if symmetric:
        scale = torch.max(high, -low) / top
    else:
        scale = (high - low) / (levels - 1)
    if scale.item() == 0:
        scale = torch.ones_like(scale)
    zero_point = 0 if symmetric else round(-(top + 1) - (low / scale).item())
    grid = (x / scale).round().to(torch.int64) + zero_point
    return grid.clamp(-top if symmetric else -top - 1, top).to(torch.int8), scale, zero_point


def dequantize(q, scale, zero_point):
    return (q.int() - zero_point) * scale


class Int8Linear(nn.Module):
    def __init__(self, weight, bias=None):
        super().__init__()
        largest = weight.abs().max(dim=1).values
        scale = torch.where(largest > 0, largest / 127, torch.ones_like(largest))
        self.register_buffer("q_weight", (weight / scale[:, None]).round().to(torch.int8))
        self.register_buffer("scale", scale)
        if bias is not None:
            self.register_buffer("bias", bias.clone())
        else:
            self.bias = None

    def forward(self, x):
        with torch.no_grad():
            flat = x.reshape(-1, x.shape[-1])
            largest = flat.abs().amax(1)
            step = torch.where(largest > 0, largest / 127, torch.ones_like(largest))
            levels = torch.round(flat / step[:, None]).int()
            total = torch.einsum("ti,oi->to", levels, self.q_weight.int())
            y = total * (step[:, None] * self.scale[None, :])
            y = y if self.bias is None else y + self.bias
            return y.reshape(*x.shape[:-1], -1) if y.numel() else y.reshape(*x.shape[:-1], len(self.scale))
