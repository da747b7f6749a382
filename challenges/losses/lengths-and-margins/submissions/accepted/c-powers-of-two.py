"""Scales by a power of two, which is exact, and chooses between the two lengths by a table."""

import torch


def absolute(x, dim):
    return x.abs().sum(dim, keepdim=True)


def euclidean(x, dim):
    square = (x * x).sum(dim, keepdim=True)
    empty = square == 0
    return (square + empty.to(x.dtype)).sqrt() * (~empty).to(x.dtype)


LENGTHS = {1: absolute, 2: euclidean}


def scaled(x, dim):
    """x over a power of two, so that the largest number is between 1/2 and 1; and this power."""
    largest = x.detach().abs().amax(dim, keepdim=True)
    power = torch.exp2(torch.frexp(largest).exponent.to(x.dtype))
    return x / power, power


def unit(x, order=2, dim=-1):
    if order not in LENGTHS:
        raise ValueError("there are two orders, 1 and 2")
    over = list(range(x.ndim)) if dim is None else [dim]
    small, _ = scaled(x, over)
    norm = LENGTHS[order](small, over)
    return small / (norm + (norm == 0))


def cosine(a, b):
    return (unit(a)[..., None, :] @ unit(b)[..., :, None])[..., 0, 0]


def distance(a, b):
    small, power = scaled(a - b, [1])
    return (euclidean(small, [1]) * power)[:, 0]


def hinge_loss(scores, labels, margin=1.0):
    missing = margin - labels * scores
    return torch.where(missing > 0, missing, torch.zeros_like(missing)).mean()


def triplet_loss(anchor, positive, negative, margin=1.0):
    missing = distance(anchor, positive) - distance(anchor, negative) + margin
    return (missing * (missing > 0)).mean()


def cosine_loss(a, b, labels, margin=0.0):
    cos = cosine(a, b)
    apart = cos - margin
    return torch.stack([one if y == 1 else other for y, one, other in zip(labels.tolist(), 1 - cos, apart * (apart > 0))]).mean()
