"""A for loop that may be left, squared norms without gradients, and the weights used through F.linear."""

import torch
import torch.nn.functional as F
from torch import nn


class AdaptiveDepth(nn.Module):
    def __init__(self, width, threshold=1.0, max_steps=10):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.limit, self.most, self.steps_taken = threshold, max_steps, 0

    def forward(self, x):
        made = 0
        for _ in range(self.most):
            with torch.no_grad():
                small = torch.all(torch.linalg.vector_norm(x, dim=-1) < self.limit)
            if small.item():
                break
            x = F.linear(x, self.layer.weight, self.layer.bias).tanh()
            made += 1
        self.steps_taken = made
        return x
