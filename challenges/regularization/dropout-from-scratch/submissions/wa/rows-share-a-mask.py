# caught by: test_nobody_shares_a_mask[values]
"""One mask for all rows: drawn for a single sample and broadcast."""

import torch
from torch import Tensor, nn


class MyDropout(nn.Module):
    def __init__(self, p: float = 0.5, whole_channels: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {p}")
        self.p, self.whole_channels = p, whole_channels

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        shape = x.shape[:2] + (1,) * (x.dim() - 2) if self.whole_channels else x.shape[1:]
        mask = torch.empty(shape, dtype=x.dtype, device=x.device).bernoulli_(1 - self.p)
        if self.p < 1:
            mask /= 1 - self.p
        return x * mask
