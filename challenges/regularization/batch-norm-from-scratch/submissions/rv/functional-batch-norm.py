"""The library does it."""

import torch
import torch.nn.functional as F
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
        state = (self.running_mean, self.running_var, self.weight, self.bias)
        return F.batch_norm(x, *state, self.training, self.momentum or 0.0, self.eps)
