"""Indexing, and a choice between each row and its detached copy."""

import torch
from torch import Tensor, nn


class LookupTable(nn.Module):
    def __init__(self, rows: int, width: int, padding_idx: int | None = None) -> None:
        super().__init__()
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(rows, width))
        if padding_idx is not None:
            with torch.no_grad():
                self.weight[padding_idx] = 0.0

    def forward(self, ids: Tensor) -> Tensor:
        if ((ids < 0) | (ids >= len(self.weight))).any():
            raise IndexError("an id is outside of the table")
        found = self.weight[ids]
        if self.padding_idx is None:
            return found
        return torch.where((ids == self.padding_idx)[..., None], found.detach(), found)
