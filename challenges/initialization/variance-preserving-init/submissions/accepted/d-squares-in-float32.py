"""Squares in float32: 1e-40 is denormal there and still has four digits, which is all that is asked."""

import torch


def fans(weight_shape):
    if len(weight_shape) < 2:
        raise ValueError
    taps = torch.Size(weight_shape[2:]).numel()
    return weight_shape[1] * taps, weight_shape[0] * taps


def xavier_std(fan_in, fan_out, gain=1.0):
    return gain * ((fan_in + fan_out) / 2) ** -0.5


def he_std(fan, negative_slope=0.0):
    return (fan * (1 + negative_slope**2) / 2) ** -0.5


def deep_relu_rms(depth, width, init, generator):
    stds = {"he": he_std(width), "xavier": xavier_std(width, width), "default": None}
    try:
        std = stds[init]
    except KeyError:
        raise ValueError(f"{init} is none of {list(stds)}") from None
    h = torch.randn(64, width, generator=generator)
    while depth > 0:
        if std is None:
            w = torch.empty(width, width).uniform_(-1, 1, generator=generator) * width**-0.5
        else:
            w = std * torch.randn((width, width), generator=generator)
        h = torch.einsum("ni,oi->no", h, w).clamp(min=0)
        depth -= 1
    return h.pow(2).mean().sqrt().item()
