"""Counts by bincount, draws by multinomial, two running sums."""

import torch
import torch.nn.functional as F
from torch import Tensor


def class_weights(labels: Tensor, n_classes: int, beta: float | None = None) -> Tensor:
    if beta is not None and not 0 <= beta < 1:
        raise ValueError("beta must lie in [0, 1)")
    counts = torch.bincount(labels, minlength=n_classes).double()
    present = counts > 0
    amount = counts if beta is None else 1 - beta**counts
    raw = torch.where(present, 1 / amount, 0.0)
    return (raw / raw[present].mean()).float()


def balanced_draws(labels: Tensor, num_samples: int, generator: torch.Generator) -> Tensor:
    per_class = 1 / torch.bincount(labels).double()
    per_sample = per_class[labels]
    return torch.multinomial(per_sample, num_samples, replacement=True, generator=generator)


def epoch_loss(batches: list[tuple[Tensor, Tensor]], weights: Tensor) -> float:
    total, norm = 0.0, 0.0
    for scores, labels in batches:
        total += F.cross_entropy(scores, labels, weight=weights, reduction="sum").item()
        norm += weights[labels].sum().item()
    return total / norm if norm else 0.0
