"""Gradient accumulation: groups of micro-batches, one step for each group."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


def train_accumulated(
    model: nn.Module,
    batches: Iterable[tuple[Tensor, Tensor]],
    optimizer: torch.optim.Optimizer,
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    accum: int,
    max_grad_norm: float | None = None,
) -> list[float]:
    """Walk `batches` once; after every `accum` of them, and at the end, take one step. Returns one loss for each step."""
    raise NotImplementedError
