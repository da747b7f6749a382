"""A model in use: evaluation on batches, and prediction for a whole tensor."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[Tensor, Tensor]],
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    device: torch.device | str,
) -> tuple[float, float]:
    """The mean loss and the accuracy over all samples."""
    raise NotImplementedError


def predict(model: nn.Module, x: Tensor, batch_size: int = 256) -> Tensor:
    """The outputs for all of x, on the CPU."""
    raise NotImplementedError
