"""Layers in a ModuleList, and a dropout module that follows the mode."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn


class MLP(nn.Module):
    def __init__(self, in_features: int, hidden: Sequence[int], out_features: int, p: float = 0.1) -> None:
        super().__init__()
        sizes = [in_features, *hidden, out_features]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.dropout = nn.Dropout(p)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers[:-1]:
            x = self.dropout(torch.relu(layer(x)))
        return self.layers[-1](x)


class Affine(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))
        self.shift = nn.Parameter(torch.zeros(features))

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * x + self.shift
