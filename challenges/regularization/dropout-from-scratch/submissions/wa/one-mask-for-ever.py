# caught by: test_every_call_draws_anew[values]
"""Draws a mask once for each shape and keeps it."""

import torch
from torch import Tensor, nn


class MyDropout(nn.Module):
    def __init__(self, p: float = 0.5, whole_channels: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {p}")
        self.p, self.whole_channels, self.masks = p, whole_channels, {}

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        shape = x.shape[:2] + (1,) * (x.dim() - 2) if self.whole_channels else x.shape
        key = (tuple(shape), x.dtype)
        if key not in self.masks:
            mask = x.new_empty(shape).bernoulli_(1 - self.p)
            self.masks[key] = mask / (1 - self.p) if self.p < 1 else mask
        mask = self.masks[key]
        return x * mask
