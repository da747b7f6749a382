"""A sum on the device, read once; clones of the weights; no recording in the evaluation."""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def fit(
    model: nn.Module, batches: Iterable, loss_fn: Callable, optimizer: torch.optim.Optimizer, epochs: int
) -> list[dict]:
    history = []
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            total = total + loss.detach() * len(x)
            count += len(x)
        weights = {name: p.detach().clone() for name, p in model.named_parameters()}
        history.append({"loss": total.item() / count, "weights": weights})
    return history


def evaluate(model: nn.Module, batches: Iterable, loss_fn: Callable) -> float:
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in batches:
            total = total + loss_fn(model(x), y) * len(x)
            count += len(x)
    return total.item() / count
