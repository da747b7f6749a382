"""A classifier whose outputs depend on the mode, and which notes how it was called."""

import torch
from torch import Tensor, nn


class Classifier(nn.Module):
    """Linear, batch norm, dropout, linear. `calls` has (batch size, all in eval mode, recording) of each call."""

    def __init__(self, inputs: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.dropout = nn.Dropout(0.5)
        self.last = nn.Linear(hidden, classes)
        self.calls: list = []
        self.fails_at: int | None = None

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, classes)
        self.calls.append((len(x), not any(m.training for m in self.modules()), torch.is_grad_enabled()))
        if self.fails_at == len(self.calls):
            raise ArithmeticError("this batch cannot be computed")
        return self.last(self.dropout(torch.tanh(self.norm(self.first(x)))))


class Doubled(nn.Module):
    """A module without parameters."""

    def forward(self, x: Tensor) -> Tensor:
        return 2 * x
