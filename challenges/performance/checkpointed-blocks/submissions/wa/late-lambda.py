# caught by: test_gradients
"""The lambda is called again when the loop variable names the last segment."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    for start in range(0, len(blocks), every):
        segment = nn.Sequential(*blocks[start : start + every])
        x = checkpoint(lambda h: segment(h), x, use_reentrant=False)
    return x
