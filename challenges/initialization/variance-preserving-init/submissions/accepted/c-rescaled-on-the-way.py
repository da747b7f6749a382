"""Keeps the running size apart, so that nothing can underflow: each layer is normalised and the logarithms are added."""

import math

import torch
from torch import nn


def fans(weight_shape):
    shape = tuple(weight_shape)
    if len(shape) <= 1:
        raise ValueError("a vector has no fans")
    taps = 1
    for size in shape[2:]:
        taps *= size
    return shape[1] * taps, shape[0] * taps


def xavier_std(fan_in, fan_out, gain=1.0):
    return float(gain * (2.0 / float(fan_in + fan_out)) ** 0.5)


def he_std(fan, negative_slope=0.0):
    return (2.0 / (1.0 + negative_slope**2) / fan) ** 0.5


def deep_relu_rms(depth, width, init, generator):
    match init:
        case "he":
            scale = he_std(width)
        case "xavier":
            scale = xavier_std(width, width)
        case "default":
            scale = 1 / math.sqrt(fans((width, width))[0])
        case _:
            raise ValueError("init must be he, xavier or default")
    h = torch.randn(64, width, generator=generator)
    total = 1.0
    layer = nn.ReLU()
    for _ in range(depth):
        if init == "default":
            w = 2 * torch.rand(width, width, generator=generator) - 1
        else:
            w = torch.randn(width, width, generator=generator)
        h = layer(h.matmul((scale * w).transpose(0, 1)))
        size = math.sqrt(h.pow(2).mean().item())
        h, total = h / size, total * size
    return total * math.sqrt(h.pow(2).mean().item())
