# caught by: test_names_of_the_heads
"""Registered, but under numbers: the names in the checkpoint depend on the order of the tasks."""

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
        for block, gate in zip(self.blocks, self.gates, strict=True):
            x = x + gate * F.relu(block(x))
        return x + self.shift


class TaskHeads(nn.Module):
    def __init__(self, features: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.names = list(tasks)
        self.heads = nn.ModuleList(nn.Linear(features, size) for size in tasks.values())

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[{n: i for i, n in enumerate(self.names)}[task]](x)
