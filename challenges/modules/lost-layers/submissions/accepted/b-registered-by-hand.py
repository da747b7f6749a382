"""Plain modules as containers: everything is registered under its name by hand."""

import torch
from torch import nn


class ResidualStack(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.depth = depth
        self.blocks, self.gates = nn.Module(), nn.Module()
        for i in range(depth):
            self.blocks.add_module(str(i), nn.Linear(width, width))
            self.gates.register_parameter(str(i), nn.Parameter(torch.tensor(1.0)))
        self.register_parameter("shift", nn.Parameter(torch.zeros(width)))

    def forward(self, x):
        for i in range(self.depth):
            inner = getattr(self.blocks, str(i))(x)
            x = torch.addcmul(x, getattr(self.gates, str(i)), inner.clamp(min=0))
        return x + self.shift


class TaskHeads(nn.Module):
    def __init__(self, features, tasks):
        super().__init__()
        self.tasks = set(tasks)
        self.heads = nn.Module()
        for name in tasks:
            setattr(self.heads, name, nn.Linear(features, tasks[name]))

    def forward(self, x, task):
        if task not in self.tasks:
            raise KeyError(task)
        return self.heads.get_submodule(task)(x)
