"""Assigns new tensors to the buffers' names, which keeps them buffers; the formula written out."""

import torch
from torch import nn


class RunningNorm(nn.Module):
    def __init__(self, features, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum = momentum
        self.eps = eps
        self.register_parameter("scale", nn.Parameter(torch.full((features,), 1.0)))
        for name, value in (("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((features,), value))
        self.register_buffer("num_batches_tracked", torch.zeros([], dtype=torch.int64))
        self.register_buffer("signs", torch.tensor([(-1.0) ** i for i in range(features)]), persistent=False)

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            n, keep = x.shape[0], 1 - self.momentum
            mean = x.sum(0) / n
            var = (x - mean).square().sum(0) / n
            self.running_mean = keep * self.running_mean + self.momentum * mean.detach()
            self.running_var = keep * self.running_var + self.momentum * var.detach() * n / (n - 1)
            self.num_batches_tracked = self.num_batches_tracked + 1
        return (x - mean) * torch.rsqrt(var + self.eps) * (self.scale * self.signs)
