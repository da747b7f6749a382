"""Saving a training run, and going on with it."""

import torch
from torch import nn


def save_checkpoint(
    path: str,
    epoch: int,
    best: float | None,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler | None = None,
    scaler: torch.amp.GradScaler | None = None,
    generator: torch.Generator | None = None,
) -> None:
    """Write all that the run needs after the finished epoch `epoch`. A file at `path` is replaced as a whole, or not at all."""
    raise NotImplementedError


def resume(
    path: str,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler | None = None,
    scaler: torch.amp.GradScaler | None = None,
    generator: torch.Generator | None = None,
) -> tuple[int, float | None]:
    """Restore what was saved, in place. Returns the epoch to go on with, and the best metric so far."""
    raise NotImplementedError
