"""A classifier by cosine similarity. Some of what it holds is held in the wrong way."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class CosineHead(nn.Module):
    """Logits are cosines between inputs and one prototype per class, divided by a temperature that learns."""

    def __init__(self, features: int, classes: int, temperature: float = 0.1) -> None:
        super().__init__()
        self.prototypes = nn.Parameter(torch.randn(classes, features))
        self.temperature = torch.tensor(temperature, requires_grad=True)
        self.counts = nn.Parameter(torch.zeros(classes))
        self.enabled = torch.ones(classes, dtype=torch.bool)

    def forward(self, x: Tensor) -> Tensor:
        """(N, features) to (N, classes); classes that are not enabled get minus infinity."""
        cosines = F.normalize(x, dim=-1) @ F.normalize(self.prototypes, dim=-1).T
        return (cosines / self.temperature).masked_fill(~self.enabled, -torch.inf)

    def observe(self, labels: Tensor) -> None:
        """Count the labels that were seen, int64 of shape (N,)."""
        self.counts = nn.Parameter(self.counts + torch.bincount(labels, minlength=self.counts.numel()))

    def disable(self, classes: list[int]) -> None:
        """Take classes out of the running."""
        self.enabled[classes] = False
