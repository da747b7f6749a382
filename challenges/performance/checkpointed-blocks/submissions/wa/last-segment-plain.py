# caught by: test_entered_exactly_twice[3]
"""Leaves the last segment alone, since backward needs it at once."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for start in range(0, len(blocks), every):
        segment = nn.Sequential(*blocks[start : start + every])
        last = start + every >= len(blocks)
        x = segment(x) if last else checkpoint(segment, x, use_reentrant=False)
    return x
