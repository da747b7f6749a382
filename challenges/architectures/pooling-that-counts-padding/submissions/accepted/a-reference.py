"""A mask of booleans that selects; each operation gets its neutral value."""

import torch


def padded_steps(x, lengths):
    steps = torch.arange(x.shape[1], device=x.device)
    return steps >= lengths[:, None]


def mean_pool(x, lengths):
    padded = padded_steps(x, lengths)
    total = x.masked_fill(padded.unsqueeze(-1), 0.0).sum(1)
    return total / lengths.clamp(min=1).unsqueeze(-1)


def max_pool(x, lengths):
    padded = padded_steps(x, lengths)
    largest = x.masked_fill(padded.unsqueeze(-1), float("-inf")).amax(1)
    return largest.masked_fill((lengths == 0).unsqueeze(-1), 0.0)


def attention_pool(x, scores, lengths):
    padded = padded_steps(x, lengths)
    weights = scores.masked_fill(padded, float("-inf")).softmax(1)
    weights = weights.masked_fill(padded, 0.0)
    return (weights.unsqueeze(-1) * x.masked_fill(padded.unsqueeze(-1), 0.0)).sum(1)
