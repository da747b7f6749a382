# caught by: test_containers[Sequential]
"""Joins lists with +, which only lists can."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    segments = [[]]
    for start in range(0, len(blocks), every):
        segments[-1] = [] + blocks[start : start + every]
        x = checkpoint(nn.Sequential(*segments[-1]), x, use_reentrant=False)
    return x
