"""A network of functional calls, and a network that is nothing but a function."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Net(nn.Module):
    """Linear, batch norm, ReLU, dropout, linear. Three things are wrong here."""

    def __init__(self, features: int, hidden: int, classes: int, p: float = 0.5) -> None:
        super().__init__()
        self.p = p
        self.first = nn.Linear(features, hidden)
        self.scale = nn.Parameter(torch.ones(hidden))
        self.shift = nn.Parameter(torch.zeros(hidden))
        self.mean = torch.zeros(hidden)
        self.var = torch.ones(hidden)
        self.last = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        """(N, features) -> (N, classes)"""
        h = F.batch_norm(self.first(x), self.mean, self.var, self.scale, self.shift)
        return self.last(F.dropout(F.relu(h), self.p))


def functional_mlp(x: Tensor, params: dict[str, Tensor]) -> Tensor:
    """The linear layers of params, with a tanh between them."""
    raise NotImplementedError
