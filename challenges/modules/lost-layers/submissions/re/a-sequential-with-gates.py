# caught by: test_stack_values_and_gradients[1]
"""Iterates once too often: zip without gates of equal number."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ResidualStack(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.gates = nn.ParameterList(torch.ones(()) for _ in range(depth))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        for block, gate in zip(self.blocks, list(self.gates)[1:], strict=True):
            x = x + gate * F.relu(block(x))
        return x + self.shift


class TaskHeads(nn.Module):
    def __init__(self, features: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(features, size) for name, size in tasks.items()})

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[task](x)
