"""The check before the training."""

from collections.abc import Callable

from torch import Tensor, nn


def can_overfit(
    model: nn.Module,
    batch: tuple[Tensor, Tensor],
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    steps: int = 200,
    lr: float = 0.01,
    tol: float = 0.01,
) -> bool:
    """Whether a copy of the model learns the batch by heart."""
    raise NotImplementedError
