"""Two models that predict noise. `model(x, t)` or `model(x, t, condition)`: t and condition hold one number for each example."""

import torch
from torch import Tensor, nn


def checked(x: Tensor, t: Tensor, condition: Tensor | None) -> tuple[int, ...]:
    """The shape in which numbers of examples meet x."""
    if not isinstance(t, Tensor) or t.shape != (x.shape[0],) or t.dtype != torch.int64:
        raise ValueError("t must be an int64 tensor with one time for each example")
    if condition is not None and condition.shape != (x.shape[0],):
        raise ValueError("condition must hold one number for each example")
    return (-1, *[1] * (x.dim() - 1))


class Denoiser(nn.Module):
    """Any smooth function of x, t and the condition, with three weights."""

    def __init__(self, weights: Tensor):
        super().__init__()
        self.weights = nn.Parameter(weights.clone())

    def forward(self, x: Tensor, t: Tensor, condition: Tensor | None = None) -> Tensor:
        shape = checked(x, t, condition)
        phase = torch.cos(0.1 * t.to(x.dtype)).view(shape)
        a, b, c = self.weights
        out = a * torch.tanh(x) + b * phase * x
        return out if condition is None else out + c * condition.to(x.dtype).view(shape) * phase


class Exact(nn.Module):
    """The best prediction for normal data, whose mean is moved by the condition: E[noise | x_t]."""

    def __init__(self, mean: float, variance: float, abar: Tensor):
        super().__init__()
        self.mean, self.variance = mean, variance
        self.register_buffer("abar", abar.clone())

    def forward(self, x: Tensor, t: Tensor, condition: Tensor | None = None) -> Tensor:
        shape = checked(x, t, condition)
        a = self.abar[t].to(x.dtype).view(shape)
        mean = self.mean if condition is None else self.mean + condition.to(x.dtype).view(shape)
        return (1 - a).sqrt() * (x - a.sqrt() * mean) / (a * self.variance + 1 - a)
