# caught by: test_dropout_repeats_its_masks[3]
"""Saves the cost of storing the random state."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for start in range(0, len(blocks), every):
        x = checkpoint(nn.Sequential(*blocks[start : start + every]), x, use_reentrant=False, preserve_rng_state=False)
    return x
