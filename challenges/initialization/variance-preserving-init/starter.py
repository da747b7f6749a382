"""Fans, standard deviations, and what they do to a signal in a deep network."""

import torch


def fans(weight_shape) -> tuple[int, int]:
    """Return (fan_in, fan_out) of a weight of shape (out, in, *taps); ValueError for fewer than two dimensions."""
    raise NotImplementedError


def xavier_std(fan_in: int, fan_out: int, gain: float = 1.0) -> float:
    """Return Glorot's standard deviation."""
    raise NotImplementedError


def he_std(fan: int, negative_slope: float = 0.0) -> float:
    """Return He's standard deviation for a leaky ReLU with this slope."""
    raise NotImplementedError


def deep_relu_rms(depth: int, width: int, init: str, generator: torch.Generator) -> float:
    """Return the root mean square of a batch of 64 after `depth` ReLU layers; init is "he", "xavier" or "default"."""
    raise NotImplementedError
