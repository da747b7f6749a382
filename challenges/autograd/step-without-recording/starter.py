"""Two functions that must leave no trace in any graph."""

from collections.abc import Callable, Iterable

from torch import Tensor


def sgd_step_(params: Iterable[Tensor], lr: float | Tensor, weight_decay: float = 0.0) -> None:
    """Edit every parameter that has a gradient, in place: p ← p - lr · (p.grad + weight_decay · p)."""
    raise NotImplementedError


def teacher_targets(forward: Callable[[Tensor], Tensor], batches: Iterable[Tensor]) -> list[Tensor]:
    """Return forward(batch) for every batch, computed without recording, as ordinary tensors."""
    raise NotImplementedError
