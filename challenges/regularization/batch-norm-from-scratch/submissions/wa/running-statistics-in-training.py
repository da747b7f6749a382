# caught by: test_two_rows
"""Moves the running statistics and then normalises by them, in both modes."""

import torch
from torch import Tensor, nn


class MyBatchNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True) -> None:
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(features)) if affine else None
        self.bias = nn.Parameter(torch.zeros(features)) if affine else None
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.ones(features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.statistics(x)
        mean, var = self.running_mean.clone(), self.running_var.clone()
        shape = (-1,) + (1,) * (x.dim() - 2)
        y = (x - mean.view(shape)) / (var.view(shape) + self.eps).sqrt()
        return y if self.weight is None else y * self.weight.view(shape) + self.bias.view(shape)

    def statistics(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and variance of the batch; moves the running ones."""
        n = x.numel() // len(self.running_mean)
        if n < 2:
            raise ValueError("a variance needs two values for each channel")
        axes = [axis for axis in range(x.dim()) if axis != 1]
        mean, var = x.mean(axes), x.var(axes, correction=0)
        with torch.no_grad():
            self.num_batches_tracked += 1
            share = 1 / self.num_batches_tracked.item() if self.momentum is None else self.momentum
            self.running_mean.lerp_(mean, share)
            self.running_var.lerp_(var * n / (n - 1), share)
        return mean, var
