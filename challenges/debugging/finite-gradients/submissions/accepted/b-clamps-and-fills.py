"""Clamping for the tangents, masked_fill for the rest, the norm for distances."""

import torch


def root(x):
    high = x.clamp(min=1)
    return high.sqrt() + (x - high) / 2


def log_line(x):
    above = x >= 1
    return torch.log(x.masked_fill(~above, 1.0)) + (x - 1).masked_fill(above, 0.0)


def sinc(x):
    zero = x.eq(0)
    filled = x.masked_fill(zero, 1.0)
    return (filled.sin() / filled).masked_fill(zero, 1.0)


def masked_mean(x, mask):
    kept = x.masked_fill(~mask[..., None], 0.0)
    return kept.sum(dim=1) / torch.maximum(mask.sum(1), torch.tensor(1))[:, None]


def distances(a, b):
    difference = a[:, None, :] - b[None, :, :]
    return torch.linalg.vector_norm(difference, dim=-1)
