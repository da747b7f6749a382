"""An indentation that belongs nowhere."""

import math

import torch


def fans(weight_shape) -> tuple[int, int]:
    if len(weight_shape) < 2:
        raise ValueError("fans need a weight of at least two dimensions")
    n_out, n_in, *taps = weight_shape
      window = math.prod(taps)
    return n_in * window, n_out * window


def xavier_std(fan_in: int, fan_out: int, gain: float = 1.0) -> float:
    return gain * math.sqrt(2 / (fan_in + fan_out))


def he_std(fan: int, negative_slope: float = 0.0) -> float:
    return math.sqrt(2 / ((1 + negative_slope**2) * fan))


def deep_relu_rms(depth: int, width: int, init: str, generator: torch.Generator) -> float:
    if init not in ("he", "xavier", "default"):
        raise ValueError(f"unknown init {init!r}")
    h = torch.randn(64, width, generator=generator)
    for _ in range(depth):
        if init == "default":
            w = (torch.rand(width, width, generator=generator) * 2 - 1) / math.sqrt(width)
        else:
            std = he_std(width) if init == "he" else xavier_std(width, width)
            w = torch.randn(width, width, generator=generator) * std
        h = torch.relu(h @ w.T)
    return h.double().square().mean().sqrt().item()
