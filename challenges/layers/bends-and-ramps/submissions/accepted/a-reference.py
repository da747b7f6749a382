"""Reference: exponentials of numbers that are never positive, and pieces joined by where."""

import torch
from torch import Tensor

LAMBDA, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def softplus(x: Tensor, beta: float = 1.0) -> Tensor:
    z = beta * x
    # Each side has its own expression: kinks that cancel in the value would not cancel in the gradient at 0.
    return torch.where(z > 0, z + torch.log1p(torch.exp(-z.clamp(min=0))), torch.log1p(torch.exp(z.clamp(max=0)))) / beta


def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    return torch.where(x > 0, x, alpha * torch.expm1(x.clamp(max=0)))


def selu(x: Tensor) -> Tensor:
    return LAMBDA * elu(x, ALPHA)


def hard_sigmoid(x: Tensor) -> Tensor:
    return clip(x, -3.0, 3.0) / 6 + 0.5


def hard_swish(x: Tensor) -> Tensor:
    return torch.where(x >= 3, x, torch.where(x <= -3, 0.0, x * (x + 3) / 6))


def clip(x: Tensor, low: float, high: float) -> Tensor:
    return torch.where(x <= low, low, torch.where(x >= high, high, x)).to(x.dtype)
