# caught by: test_entered_exactly_twice[8]
"""Takes every for the number of segments, and the library leaves the last one alone."""

import torch
from torch.utils.checkpoint import checkpoint_sequential


def checkpointed(blocks, x: torch.Tensor, every: int) -> torch.Tensor:
    if every < 1:
        raise ValueError("every must be at least 1")
    if not blocks:
        return x
    return checkpoint_sequential(blocks, min(every, len(blocks)), x, use_reentrant=False)
