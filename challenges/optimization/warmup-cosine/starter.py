"""Linear warm-up followed by cosine decay."""

import torch


def warmup_cosine(optimizer: torch.optim.Optimizer, warmup: int, total: int, min_ratio: float = 0.0):
    """Give a schedule for `optimizer`: `warmup` steps up, a half cosine down to `min_ratio` at `total`, then flat."""
    raise NotImplementedError
