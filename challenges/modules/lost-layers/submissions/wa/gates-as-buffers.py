# caught by: test_names_of_the_stack
"""Saved and moved, but no optimizer gets them."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ResidualStack(nn.Module):
    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.gates = nn.Module()
        for i in range(depth):
            self.gates.register_buffer(str(i), torch.ones(()))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        for block, gate in zip(self.blocks, self.gates.buffers(), strict=True):
            x = x + gate * F.relu(block(x))
        return x + self.shift


class TaskHeads(nn.Module):
    def __init__(self, features: int, tasks: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(features, size) for name, size in tasks.items()})

    def forward(self, x: Tensor, task: str) -> Tensor:
        return self.heads[task](x)
