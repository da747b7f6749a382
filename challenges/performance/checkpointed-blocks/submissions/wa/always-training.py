# caught by: test_mode
"""Switches training on, since nobody checkpoints in eval mode."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    blocks = [block.train() for block in blocks]
    for start in range(0, len(blocks), every):
        x = checkpoint(nn.Sequential(*blocks[start : start + every]), x, use_reentrant=False)
    return x
