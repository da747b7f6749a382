"""A permutation that is cut; the gradient by its formula."""

from collections.abc import Iterator

import torch
from torch import Tensor


def minibatches(
    X: Tensor, y: Tensor, size: int, generator: torch.Generator | None = None, drop_last: bool = False
) -> Iterator[tuple[Tensor, Tensor]]:
    order = torch.randperm(len(X), generator=generator)
    for start in range(0, len(X), size):
        rows = order[start : start + size]
        if drop_last and len(rows) < size:
            return
        yield X[rows], y[rows]


def sgd_fit(
    X: Tensor,
    y: Tensor,
    size: int,
    lr: float,
    epochs: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> tuple[Tensor, Tensor, list[float]]:
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    b = torch.zeros((), dtype=X.dtype)
    losses = []
    for _ in range(epochs):
        for X_batch, y_batch in minibatches(X, y, size, generator, drop_last):
            error = X_batch @ w + b - y_batch
            losses.append(error.square().mean().item())
            step = 2 * lr / len(error) * error
            w = w - X_batch.T @ step
            b = b - step.sum()
    return w, b, losses
