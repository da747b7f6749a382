# caught by: test_first_values
"""Copies of one layer: own parameters, equal start."""

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ResidualStack(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        block = nn.Linear(width, width)
        self.blocks = nn.ModuleList(copy.deepcopy(block) for _ in range(depth))
        self.gates = nn.ParameterList(torch.ones(()) for _ in range(depth))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        for block, gate in zip(self.blocks, self.gates, strict=True):
            x = x + gate * F.relu(block(x))
        return x + self.shift


class TaskHeads(nn.Module):
    def __init__(self, features: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(features, size) for name, size in tasks.items()})

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[task](x)
