"""New tensors are filled piece by piece; attention by einsum."""

import math

import torch


def quantize(x):
    lo, hi = x.aminmax(dim=-1, keepdim=True)
    largest = torch.maximum(-lo, hi)
    empty = largest == 0
    scale = largest.div(127).masked_fill(empty, 1)
    return x.div(scale).round_().clamp_(-127, 127).char(), scale


def dequantize(q, scale):
    return torch.mul(q, scale)


def joined(old, new):
    B, H, T, e = new.shape
    S = old.shape[2]
    out = new.new_empty((B, H, S + T, e))
    out[:, :, :S] = old
    out[:, :, S:] = new
    return out


def append(cache, keys, values):
    pieces = [*quantize(keys), *quantize(values)]
    if cache is not None:
        pieces = [joined(old, new) for old, new in zip(cache, pieces)]
    return tuple(pieces)


def attend(queries, cache):
    qk, sk, qv, sv = (t.to(queries.dtype) for t in cache)
    scores = torch.einsum("bhte,bhse->bhts", queries, qk * sk) / math.sqrt(queries.size(-1))
    scores = scores - scores.amax(-1, keepdim=True)
    weights = scores.exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.einsum("bhts,bhse->bhte", weights, qv * sv)
