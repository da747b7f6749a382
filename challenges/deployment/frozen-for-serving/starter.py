"""A small classifier, and the function that prepares it for serving. Its answers change from call to call."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Classifier(nn.Module):
    """Standardise, linear, batch norm, ReLU, dropout, linear."""

    def __init__(self, features: int, hidden: int, classes: int, dropout: float = 0.3) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))  # of the training set
        self.register_buffer("std", torch.ones(features))
        self.first = nn.Linear(features, hidden)
        self.norm = nn.BatchNorm1d(hidden, track_running_stats=False)
        self.last = nn.Linear(hidden, classes)
        self.dropout = dropout

    def forward(self, x: Tensor) -> Tensor:
        """(N, features) to logits (N, classes)."""
        x = (x - x.mean(0)) / x.std(0)
        h = F.relu(self.norm(self.first(x)))
        h = F.dropout(h, self.dropout)
        return self.last(h)


def freeze(model: nn.Module) -> nn.Module:
    """Return the model as it should be served."""
    model.training = False
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model
