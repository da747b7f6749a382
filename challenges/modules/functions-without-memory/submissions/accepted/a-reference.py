"""Buffers, and the mode handed to both functions; layers sorted by their numbers."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self, features: int, hidden: int, classes: int, p: float = 0.5) -> None:
        super().__init__()
        self.p = p
        self.first = nn.Linear(features, hidden)
        self.scale = nn.Parameter(torch.ones(hidden))
        self.shift = nn.Parameter(torch.zeros(hidden))
        self.register_buffer("mean", torch.zeros(hidden))
        self.register_buffer("var", torch.ones(hidden))
        self.last = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        h = F.batch_norm(self.first(x), self.mean, self.var, self.scale, self.shift, training=self.training)
        return self.last(F.dropout(F.relu(h), self.p, training=self.training))


def functional_mlp(x: Tensor, params: dict[str, Tensor]) -> Tensor:
    numbers = sorted({int(name.split(".")[0]) for name in params})
    for i in numbers:
        x = F.linear(x, params[f"{i}.weight"], params.get(f"{i}.bias"))
        if i != numbers[-1]:
            x = torch.tanh(x)
    return x
