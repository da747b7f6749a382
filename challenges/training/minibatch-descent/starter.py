"""Mini-batches, and a linear model that is fitted with them."""

from collections.abc import Iterator

import torch
from torch import Tensor


def minibatches(
    X: Tensor, y: Tensor, size: int, generator: torch.Generator | None = None, drop_last: bool = False
) -> Iterator[tuple[Tensor, Tensor]]:
    """The batches of one epoch."""
    raise NotImplementedError


def sgd_fit(
    X: Tensor,
    y: Tensor,
    size: int,
    lr: float,
    epochs: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> tuple[Tensor, Tensor, list[float]]:
    """Weights, bias, and the loss of each update."""
    raise NotImplementedError
