"""Two modules: one to write, one to repair."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class MLP(nn.Module):
    """Linear layers named layers.0, layers.1, …; ReLU and dropout after each of them except the last."""

    def __init__(self, in_features: int, hidden: Sequence[int], out_features: int, p: float = 0.1) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(…, in_features) -> (…, out_features)"""
        raise NotImplementedError


class Affine(nn.Module):
    """scale * x + shift, feature by feature. The constructor raises an error: repair it."""

    def __init__(self, features: int) -> None:
        self.scale = nn.Parameter(torch.ones(features))
        self.shift = nn.Parameter(torch.zeros(features))
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * x + self.shift
