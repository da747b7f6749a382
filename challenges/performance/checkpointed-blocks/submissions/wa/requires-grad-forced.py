# caught by: test_no_grad
"""Runs with gradients whatever the caller wants."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


@torch.enable_grad()
def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for start in range(0, len(blocks), every):
        x = checkpoint(nn.Sequential(*blocks[start : start + every]), x, use_reentrant=False)
    return x
