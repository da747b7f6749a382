"""An ensemble and a scaled layer. The first hides its members from all tools, the second never returns."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


class Ensemble(nn.Module):
    """The mean of the outputs of several modules."""

    def __init__(self, members: Iterable[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, x: Tensor) -> Tensor:
        return torch.stack([member.forward(x) for member in self.members]).mean(0)


class ScaledLinear(nn.Linear):
    """A linear layer whose output is multiplied by `scale`."""

    def __init__(self, in_features: int, out_features: int, scale: float = 1.0) -> None:
        super().__init__(in_features, out_features)
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * super().__call__(x)
