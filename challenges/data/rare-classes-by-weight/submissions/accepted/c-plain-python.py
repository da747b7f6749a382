"""Dictionaries of counts; first a class is drawn, then one of its samples."""

import math
from collections import Counter

import torch
from torch import Tensor


def class_weights(labels: Tensor, n_classes: int, beta: float | None = None) -> Tensor:
    if beta is not None and not 0 <= beta < 1:
        raise ValueError("beta")
    counts = Counter(labels.tolist())
    raw = {c: 1 / n if beta is None else (1 - beta) / (1 - beta**n) for c, n in counts.items()}
    mean = math.fsum(raw.values()) / len(raw)
    return torch.tensor([raw.get(c, 0.0) / mean for c in range(n_classes)], dtype=torch.float32)


def balanced_draws(labels: Tensor, num_samples: int, generator: torch.Generator) -> Tensor:
    members = [(labels == c).nonzero().flatten() for c in labels.unique()]
    which = torch.randint(len(members), (num_samples,), generator=generator)
    place = torch.rand(num_samples, generator=generator, dtype=torch.float64)
    picked = [members[k][int(u * len(members[k]))] for k, u in zip(which.tolist(), place.tolist())]
    return torch.stack(picked)


def epoch_loss(batches: list[tuple[Tensor, Tensor]], weights: Tensor) -> float:
    total = norm = 0.0
    for scores, labels in batches:
        logp = scores.double().log_softmax(1)
        for row, label in zip(logp, labels.tolist()):
            total -= weights[label].item() * row[label].item()
            norm += weights[label].item()
    return total / norm if norm > 0 else 0.0
