"""A loop over the places of a window: each adds, or compares, a strided slice of the padded input."""

import itertools
import math

import torch


def taps(x, sizes, stride, padding, fill):
    """Pairs of a place in the window and what all windows hold there."""
    if stride < 1:
        raise ValueError("stride")
    places = [n + 2 * padding for n in x.shape[2:]]
    out = [(n - k) // stride + 1 for n, k in zip(places, sizes, strict=True)]
    if min(out) < 1 or min(sizes) < 1:
        raise ValueError("no window fits")
    padded = x.new_full((*x.shape[:2], *places), fill)
    inner = tuple(slice(padding, padding + n) for n in x.shape[2:])
    padded[(slice(None), slice(None), *inner)] = x
    for place in itertools.product(*map(range, sizes)):
        cut = tuple(slice(p, p + (n - 1) * stride + 1, stride) for p, n in zip(place, out, strict=True))
        yield place, padded[(slice(None), slice(None), *cut)]


def convolve(x, w, stride=1, padding=0):
    total = 0
    for place, part in taps(x, w.shape[2:], stride, padding, 0.0):
        weight = w[(slice(None), slice(None), *place)]
        total = total + torch.tensordot(part, weight, dims=([1], [1])).movedim(-1, 1)
    return total


def average_pool(x, size, stride=None, padding=0, count_padding=True):
    n = x.dim() - 2
    stride = size if stride is None else stride
    total = sum(part for _, part in taps(x, [size] * n, stride, padding, 0.0))
    if count_padding:
        return total / size**n
    return total / sum(part for _, part in taps(torch.ones_like(x), [size] * n, stride, padding, 0.0))


def max_pool(x, size, stride=None, padding=0):
    stride = size if stride is None else stride
    best = None
    for _, part in taps(x, [size] * (x.dim() - 2), stride, padding, -math.inf):
        best = part if best is None else torch.maximum(best, part)
    return best


def causal_depthwise(x, w, before=None):
    n, c, t = x.shape
    k = w.shape[1]
    past = x.new_zeros(n, c, k - 1) if before is None else before
    full = torch.cat((past, x), -1)
    return sum(w[:, j, None] * full[:, :, j : j + t] for j in range(k))
