"""A classifier with its training. It runs, and does not learn: see the statement."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Learner(nn.Module):
    """(N, features) -> scores (N, classes)"""

    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.head = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x))

    def fit(
        self, x: Tensor, y: Tensor, epochs: int, batch_size: int, lr: float, generator: torch.Generator
    ) -> list[float]:
        optimizer = torch.optim.SGD(self.head.parameters(), lr=lr)
        losses = []
        for _ in range(epochs):
            inputs = x[torch.randperm(len(x), generator=generator)]
            labels = y[torch.randperm(len(y), generator=generator)]
            total = 0.0
            for start in range(0, len(x), batch_size):
                xb, yb = inputs[start : start + batch_size], labels[start : start + batch_size]
                loss = F.cross_entropy(self(xb), yb)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(xb)
            losses.append(total / len(x))
        return losses

    @torch.no_grad()
    def accuracy(self, x: Tensor, y: Tensor) -> float:
        self.eval()
        return (self(x).argmax(1) == y).float().mean().item()
