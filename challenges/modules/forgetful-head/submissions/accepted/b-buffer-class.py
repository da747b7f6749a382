"""nn.Buffer, index_add_, and a mask that is replaced under its registered name."""

import torch
import torch.nn.functional as F
from torch import nn


class CosineHead(nn.Module):
    def __init__(self, features, classes, temperature=0.1):
        super().__init__()
        self.prototypes = nn.Parameter(torch.empty(classes, features).normal_())
        self.register_parameter("temperature", nn.Parameter(torch.full((), float(temperature))))
        self.counts = nn.Buffer(torch.zeros(classes, dtype=torch.long))
        self.enabled = nn.Buffer(torch.full((classes,), True))

    def forward(self, x):
        logits = F.linear(F.normalize(x, dim=1), F.normalize(self.prototypes, dim=1)) / self.temperature
        return torch.where(self.enabled, logits, float("-inf"))

    def observe(self, labels):
        self.counts.index_add_(0, labels, torch.ones_like(labels))

    def disable(self, classes):
        enabled = self.enabled.clone()
        enabled[list(classes)] = False
        self.enabled = enabled
