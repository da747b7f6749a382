"""A training loop with a history, and a validation. Something is wrong with them: see the statement."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


def fit(
    model: nn.Module, batches: Iterable, loss_fn: Callable, optimizer: torch.optim.Optimizer, epochs: int
) -> list[dict]:
    """One dict per epoch: the mean loss over the samples, and a snapshot of the weights after the epoch."""
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
            count += len(x)
        weights = {name: p.detach() for name, p in model.named_parameters()}
        history.append({"loss": total / count, "weights": weights})
    return history


def evaluate(model: nn.Module, batches: Iterable, loss_fn: Callable) -> float | Tensor:
    """The mean loss over the samples."""
    total, count = 0.0, 0
    for x, y in batches:
        total = total + loss_fn(model(x), y) * len(x)
        count += len(x)
    return total / count
