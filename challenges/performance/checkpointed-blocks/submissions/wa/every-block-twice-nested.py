# caught by: test_entered_exactly_twice[3]
"""Checkpoints the segment and each block in it."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Again(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False)


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for start in range(0, len(blocks), every):
        x = checkpoint(nn.Sequential(*map(Again, blocks[start : start + every])), x, use_reentrant=False)
    return x
