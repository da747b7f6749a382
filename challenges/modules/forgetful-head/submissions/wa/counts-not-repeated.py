# caught by: test_observe_and_disable
"""An indexed += counts each label once."""


import torch
import torch.nn.functional as F
from torch import Tensor, nn


class CosineHead(nn.Module):
    def __init__(self, features: int, classes: int, temperature: float = 0.1) -> None:
        super().__init__()
        self.prototypes = nn.Parameter(torch.randn(classes, features))
        self.temperature = nn.Parameter(torch.tensor(temperature))
        self.register_buffer("counts", torch.zeros(classes, dtype=torch.int64))
        self.register_buffer("enabled", torch.ones(classes, dtype=torch.bool))

    def forward(self, x: Tensor) -> Tensor:
        cosines = F.normalize(x, dim=-1) @ F.normalize(self.prototypes, dim=-1).T
        return (cosines / self.temperature).masked_fill(~self.enabled, -torch.inf)

    def observe(self, labels: Tensor) -> None:
        self.counts[labels] += 1

    def disable(self, classes: list[int]) -> None:
        self.enabled[classes] = False
