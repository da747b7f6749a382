"""A residual stack and heads for several tasks. Both compute the right thing; look at what they hold."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ResidualStack(nn.Module):
    """Residual blocks, each scaled by a gate that learns, and a shift at the end."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.blocks = [nn.Linear(width, width) for _ in range(depth)]
        self.gates = [nn.Parameter(torch.ones(())) for _ in range(depth)]
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        """(…, width) to (…, width)."""
        for block, gate in zip(self.blocks, self.gates, strict=True):
            x = x + gate * F.relu(block(x))
        return x + self.shift


class TaskHeads(nn.Module):
    """One linear layer for each task."""

    def __init__(self, features: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.heads = {name: nn.Linear(features, size) for name, size in tasks.items()}

    def forward(self, x: Tensor, task: str) -> Tensor:
        """(…, features) to (…, tasks[task]); KeyError for a task that is not there."""
        return self.heads[task](x)
