"""One drawing function per recipe, looked up by name; the size is measured with a norm."""

from functools import partial
from math import sqrt

import torch
from torch.nn import functional as F


def fans(weight_shape):
    try:
        n_out, n_in = weight_shape[0], weight_shape[1]
    except IndexError:
        raise ValueError("no fans") from None
    for taps in weight_shape[2:]:
        n_out, n_in = n_out * taps, n_in * taps
    return int(n_in), int(n_out)


def xavier_std(fan_in, fan_out, gain=1.0):
    return gain / sqrt((fan_in + fan_out) / 2)


def he_std(fan, negative_slope=0.0):
    gain = sqrt(2.0 / (1 + negative_slope * negative_slope))
    return gain / sqrt(fan)


def normal(std, width, generator):
    return torch.empty(width, width).normal_(generator=generator).mul_(std)


def uniform(bound, width, generator):
    return torch.rand(width, width, generator=generator).mul_(2).sub_(1).mul_(bound)


@torch.no_grad()
def deep_relu_rms(depth, width, init, generator):
    draws = {
        "he": partial(normal, he_std(width)),
        "xavier": partial(normal, xavier_std(width, width)),
        "default": partial(uniform, width**-0.5),
    }
    if init not in draws:
        raise ValueError(init)
    h = torch.randn(64, width, generator=generator)
    for _ in range(depth):
        h = F.relu(F.linear(h, draws[init](width, generator)))
    return float(torch.linalg.vector_norm(h.double())) / sqrt(h.numel())
