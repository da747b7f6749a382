# caught by: test_what_learns
"""Frozen parameters are saved and moved as well, but parameters() gives them out."""


import torch
from torch import Tensor, nn


class RunningNorm(nn.Module):
    def __init__(self, features: int, momentum: float = 0.1, eps: float = 1e-5) -> None:
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.scale = nn.Parameter(torch.ones(features))
        self.running_mean = nn.Parameter(torch.zeros(features), requires_grad=False)
        self.register_buffer("running_var", torch.ones(features))
        self.register_buffer("num_batches_tracked", torch.tensor(0))
        signs = torch.ones(features)
        signs[1::2] = -1
        self.register_buffer("signs", signs, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            mean, var = x.mean(0), x.var(0, correction=0)
            self._track(x)
        else:
            mean, var = self.running_mean, self.running_var
        return self.signs * self.scale * (x - mean) / (var + self.eps).sqrt()

    @torch.no_grad()
    def _track(self, x: Tensor) -> None:
        self.running_mean.lerp_(x.mean(0), self.momentum)
        self.running_var.lerp_(x.var(0), self.momentum)
        self.num_batches_tracked += 1
