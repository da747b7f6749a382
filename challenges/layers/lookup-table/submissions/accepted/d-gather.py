"""Gather along the rows; a hook on the gathered part removes what belongs to padding."""

import torch
from torch import nn


class LookupTable(nn.Module):
    def __init__(self, rows, width, padding_idx=None):
        super().__init__()
        self.rows, self.width = rows, width
        self.padding_idx = -1 if padding_idx is None else padding_idx
        self.weight = nn.Parameter(torch.empty(rows, width))
        nn.init.normal_(self.weight)
        if self.padding_idx >= 0:
            nn.init.zeros_(self.weight[self.padding_idx])

    def forward(self, ids):
        flat = ids.flatten()
        if torch.any(flat < 0) or torch.any(flat > self.rows - 1):
            raise IndexError
        found = self.weight.gather(0, flat[:, None].expand(-1, self.width))
        learns = (flat != self.padding_idx)[:, None]
        if found.requires_grad:
            found.register_hook(lambda g: g * learns)
        return found.view(*ids.shape, self.width)
