"""Two branches for sigmoid, each with a clamped input; the others rest on it."""

import math

import torch
from torch import Tensor


def relu(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, 0.0)


def leaky_relu(x: Tensor, slope: float = 0.01) -> Tensor:
    return torch.where(x > 0, x, slope * x)


def sigmoid(x: Tensor) -> Tensor:
    small = torch.exp(-x.clamp(min=0))
    large = torch.exp(x.clamp(max=0))
    return torch.where(x >= 0, 1 / (1 + small), large / (1 + large))


def tanh(x: Tensor) -> Tensor:
    return 2 * sigmoid(2 * x) - 1


def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    if approximate == "none":
        return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
    if approximate == "tanh":
        return 0.5 * x * (1 + tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    raise ValueError(f"approximate must be 'none' or 'tanh', not {approximate!r}")


def silu(x: Tensor) -> Tensor:
    return x * sigmoid(x)
