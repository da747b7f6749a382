"""The model that is saved and loaded, and one that cannot be saved."""

import torch
from torch import Tensor, nn


class Network(nn.Module):
    """Linear, batch norm, dropout, linear. `scale` is a 0-d parameter."""

    def __init__(self, inputs: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.dropout = nn.Dropout(0.5)
        self.last = nn.Linear(hidden, outputs)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x: Tensor) -> Tensor:  # (B, inputs) -> (B, outputs)
        return self.scale * self.last(self.dropout(torch.tanh(self.norm(self.first(x)))))


class Breaks:
    """An entry of a state that cannot be pickled."""

    def __reduce__(self):
        raise OSError("no space left on device")


class BreaksHalfWay(nn.Linear):
    """A layer whose state cannot be written to its end."""

    def get_extra_state(self) -> Breaks:
        return Breaks()
