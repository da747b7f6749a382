# caught by: test_memory[3]
"""Checkpoints every block on its own, whatever the segments are."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x
