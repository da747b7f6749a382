"""Unfreeze a part of a model in the middle of a training."""

from torch import nn
from torch.optim import Optimizer


def unfreeze_(model: nn.Module, optimizer: Optimizer, prefix: str, lr: float) -> list[str]:
    """Make the parameters below `prefix` trainable, and return the names of those that the optimizer did not hold."""
    raise NotImplementedError
