"""The model your functions are tried on: a small network that counts its forward passes."""

import torch
from torch import Tensor, nn


class Network(nn.Module):
    """Linear, (batch norm), tanh, linear."""

    def __init__(self, inputs: int, hidden: int, outputs: int, *, norm: bool = False) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden) if norm else nn.Identity()
        self.last = nn.Linear(hidden, outputs)
        self.forwards = 0

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, outputs)
        self.forwards += 1
        return self.last(torch.tanh(self.norm(self.first(x))))


def recording(kind: type[torch.optim.Optimizer]) -> type[torch.optim.Optimizer]:
    """The optimizer class, with `steps`: how often an object has stepped."""

    class Recording(kind):
        steps = 0

        def step(self, *args, **kwargs):
            self.steps += 1
            return super().step(*args, **kwargs)

    return Recording
