"""Losses and targets for six tasks."""

from collections.abc import Callable

from torch import Tensor


def make_objective(task: str) -> tuple[Callable[..., Tensor], Callable[..., Tensor | None]]:
    """(loss_fn, prepare_target): loss_fn(outputs, target), and prepare_target(raw, outputs)."""
    raise NotImplementedError
