"""A small module for each task that holds both of its parts, in one ModuleList; a dict beside it finds them."""

import torch
from torch import nn


class Task(nn.Module):
    def __init__(self, name, hidden, n_out, like):
        super().__init__()
        self.name = name
        self.head = nn.Linear(hidden, n_out)
        self.scale = nn.Parameter(torch.tensor(0.0))
        self.to(device=like.device, dtype=like.dtype)

    def forward(self, h):
        return self.head(h)


class MixtureOfHeads(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.hidden = hidden
        self.trunk = nn.Linear(features, hidden)
        self.parts = nn.ModuleList()

    def _found(self, name):
        for task in self.parts:
            if task.name == name:
                return task
        raise KeyError(name)

    def add_task(self, name, n_out):
        if name in self.tasks():
            raise ValueError(f"{name} is taken")
        self.parts.append(Task(name, self.hidden, n_out, self.trunk.weight))

    def remove_task(self, name):
        gone = self._found(name)
        self.parts = nn.ModuleList(task for task in self.parts if task is not gone)

    def tasks(self):
        return [task.name for task in self.parts]

    def forward(self, x, task):
        return self._found(task)(torch.relu(self.trunk(x)))

    def total(self, losses):
        out = 0.0
        for name, loss in losses.items():
            s = self._found(name).scale
            out = out + (-s).exp() * loss + s
        return out
