"""var_mean with keepdim; the affine part is folded into one scale and one shift."""

import torch
from torch import nn


class MyBatchNorm(nn.Module):
    def __init__(self, features, eps=1e-5, momentum=0.1, affine=True):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        if affine:
            self.weight = nn.Parameter(torch.ones(features))
            self.bias = nn.Parameter(torch.zeros(features))
        for name, value in (("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((features,), value))
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        shape = [1] * x.dim()
        shape[1] = x.size(1)
        mean, var = self.running_mean.reshape(shape), self.running_var.reshape(shape)
        if self.training:
            others = (0, *range(2, x.dim()))
            count = 1
            for axis in others:
                count *= x.size(axis)
            if count < 2:
                raise ValueError("too few values")
            var, mean = torch.var_mean(x, others, correction=0, keepdim=True)
            self.num_batches_tracked.add_(1)
            momentum = self.momentum
            if momentum is None:
                momentum = self.num_batches_tracked.item() ** -1
            for buffer, batch in ((self.running_mean, mean), (self.running_var, var * (count / (count - 1)))):
                buffer.mul_(1 - momentum).add_(batch.detach().flatten(), alpha=momentum)
        scale = (var + self.eps) ** -0.5
        if hasattr(self, "weight"):
            scale = scale * self.weight.reshape(shape)
            return (x - mean) * scale + self.bias.reshape(shape)
        return (x - mean) * scale
