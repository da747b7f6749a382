"""The training step of a language model."""

from torch import Tensor, nn


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict]:
    """The groups for an optimizer: with weight decay, and without."""
    raise NotImplementedError


def training_step(
    model: nn.Module,
    optimizer,
    ids: Tensor,
    padding: int | None = None,
    max_norm: float = 1.0,
) -> float:
    """One step on ids (B, T + 1); returns the loss."""
    raise NotImplementedError
