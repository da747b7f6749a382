"""A classifier with one hidden layer, and its training. Something is wrong with it: see the statement."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Classifier(nn.Module):
    """(N, features) -> (N, classes)"""

    def __init__(self, features: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, hidden),
            nn.Tanh(),
            nn.Linear(hidden, classes),
            nn.Softmax(dim=1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)

    @torch.no_grad()
    def predict_proba(self, x: Tensor) -> Tensor:
        return self(x)

    @torch.no_grad()
    def confident(self, x: Tensor, threshold: float) -> Tensor:
        return self(x).max(dim=1).values > threshold

    def fit(self, x: Tensor, y: Tensor, steps: int, lr: float) -> list[float]:
        optimizer = torch.optim.SGD(self.parameters(), lr=lr)
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = F.cross_entropy(self(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses
