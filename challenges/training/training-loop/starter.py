"""A training loop, complete and correct."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


def fit(
    model: nn.Module,
    batches: Iterable[tuple[Tensor, Tensor]],
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    epochs: int,
    max_grad_norm: float | None = None,
    scheduler: torch.optim.lr_scheduler.LRScheduler | None = None,
    on_epoch: Callable[[int, float], object] | None = None,
) -> list[float]:
    """Train `model` in place and return the mean loss per sample of every epoch that ran.

    Raises ValueError when an epoch finds no batch.
    """
    raise NotImplementedError
