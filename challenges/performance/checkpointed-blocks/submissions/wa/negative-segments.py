# caught by: test_every_below_one[-1]
"""Relies on range() to refuse a step of zero."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    for start in range(0, len(blocks), every):
        x = checkpoint(nn.Sequential(*blocks[start : start + every]), x, use_reentrant=False)
    return x
