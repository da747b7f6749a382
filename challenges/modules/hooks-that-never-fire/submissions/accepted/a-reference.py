"""Other modules are called; the base class' computation is run by its name."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


class Ensemble(nn.Module):
    def __init__(self, members: Iterable[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([member(x) for member in self.members]).mean(0)


class ScaledLinear(nn.Linear):
    def __init__(self, in_features: int, out_features: int, scale: float = 1.0) -> None:
        super().__init__(in_features, out_features)
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * super().forward(x)
