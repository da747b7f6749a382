"""The sampler of torch.utils.data, and one loss over all batches joined."""

import torch
from torch import Tensor, nn
from torch.utils.data import WeightedRandomSampler


def class_weights(labels: Tensor, n_classes: int, beta: float | None = None) -> Tensor:
    if beta is not None and (beta < 0 or beta >= 1):
        raise ValueError(beta)
    counts = torch.zeros(n_classes, dtype=torch.float64)
    counts.index_add_(0, labels, torch.ones(len(labels), dtype=torch.float64))
    weights = torch.zeros_like(counts)
    kept = counts.nonzero().flatten()
    if beta is None:
        weights[kept] = counts[kept].reciprocal()
    else:
        weights[kept] = (1 - beta) / (1 - torch.pow(torch.tensor(beta, dtype=torch.float64), counts[kept]))
    weights *= len(kept) / weights.sum()
    return weights.to(torch.float32)


def balanced_draws(labels: Tensor, num_samples: int, generator: torch.Generator) -> Tensor:
    _, inverse, counts = labels.unique(return_inverse=True, return_counts=True)
    sampler = WeightedRandomSampler(1 / counts.double()[inverse], num_samples, replacement=True, generator=generator)
    return torch.tensor(list(sampler))


def epoch_loss(batches: list[tuple[Tensor, Tensor]], weights: Tensor) -> float:
    scores = torch.cat([s for s, _ in batches])
    labels = torch.cat([y for _, y in batches])
    if not weights[labels].any():
        return 0.0
    return nn.CrossEntropyLoss(weight=weights)(scores, labels).item()
