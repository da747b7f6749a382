# caught by: test_draws_are_independent
"""Draws the same number of samples from each class, class by class, instead of drawing independently."""

import torch
import torch.nn.functional as F


def class_weights(labels, n_classes, beta=None):
    if beta is not None and not 0 <= beta < 1:
        raise ValueError("beta must lie in [0, 1)")
    counts = torch.bincount(labels, minlength=n_classes).double()
    present = counts > 0
    amount = counts if beta is None else 1 - beta**counts
    raw = torch.where(present, 1 / amount, 0.0)
    return (raw / raw[present].mean()).float()


def balanced_draws(labels, num_samples, generator):
    members = [(labels == c).nonzero().flatten() for c in labels.unique()]
    sizes = [(num_samples + k) // len(members) for k in range(len(members))]
    parts = [m[torch.randint(len(m), (n,), generator=generator)] for m, n in zip(members, sizes)]
    drawn = torch.cat(parts)
    return drawn[torch.randperm(num_samples, generator=generator)]


def epoch_loss(batches, weights):
    total, norm = 0.0, 0.0
    for scores, labels in batches:
        total += F.cross_entropy(scores, labels, weight=weights, reduction="sum").item()
        norm += weights[labels].sum().item()
    return total / norm if norm else 0.0
