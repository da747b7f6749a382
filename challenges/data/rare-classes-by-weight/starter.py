"""Class weights, balanced draws and the weighted mean loss of an epoch."""

import torch
from torch import Tensor


def class_weights(labels: Tensor, n_classes: int, beta: float | None = None) -> Tensor:
    """Return one weight per class, by inverse frequency or by effective number, with mean 1 over the classes that occur."""
    raise NotImplementedError


def balanced_draws(labels: Tensor, num_samples: int, generator: torch.Generator) -> Tensor:
    """Return indices of samples, with replacement, such that all classes that occur are equally likely."""
    raise NotImplementedError


def epoch_loss(batches: list[tuple[Tensor, Tensor]], weights: Tensor) -> float:
    """Return the weighted mean of the cross entropy over the samples of all batches."""
    raise NotImplementedError
