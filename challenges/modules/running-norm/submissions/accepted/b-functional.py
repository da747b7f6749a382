"""F.batch_norm does the arithmetic and moves the statistics."""

import torch
import torch.nn.functional as F
from torch import nn


class RunningNorm(nn.Module):
    def __init__(self, features, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.scale = nn.Parameter(torch.ones(features))
        self.running_mean = nn.Buffer(torch.zeros(features))
        self.running_var = nn.Buffer(torch.ones(features))
        self.num_batches_tracked = nn.Buffer(torch.zeros((), dtype=torch.long))
        self.signs = nn.Buffer(1.0 - 2.0 * (torch.arange(features) % 2), persistent=False)

    def forward(self, x):
        if self.training:
            self.num_batches_tracked.add_(1)
        out = F.batch_norm(
            x, self.running_mean, self.running_var, self.scale, None, self.training, self.momentum, self.eps
        )
        return out * self.signs
