"""Doubling with a neutral element that is shifted in, and a bitonic-like order by ranks through one-hot products."""

import torch
import torch.nn.functional as F


def shifted(x, by, fill):
    return torch.cat([torch.full_like(x[..., :by], fill), x[..., : x.shape[-1] - by]], -1)


def scan(x, combine, fill):
    step = 1
    while step < x.shape[-1]:
        x = combine(x, shifted(x, step, fill))
        step = 2 * step
    return x


def lowest(dtype):
    return torch.finfo(dtype).min if dtype.is_floating_point else torch.iinfo(dtype).min


def prefix(x, kind):
    if kind == "sum":
        return scan(x + 0, lambda a, b: a + b, 0)
    if kind == "product":
        return scan(x + 0, lambda a, b: a * b, 1)
    if kind == "max":
        return scan(x + 0, torch.maximum, lowest(x.dtype))
    raise ValueError("kind must be sum, product or max")


def first_extreme(x, dim, largest=True):
    x = x.detach().movedim(dim, 0)
    best = x.amax(0) if largest else x.amin(0)
    # how often the extreme has been seen: the places before the first one have seen none
    seen = prefix((x == best).long().movedim(0, -1), "max")
    return (seen == 0).sum(-1)


def stable_order(x):
    x = x.detach()
    n = x.shape[-1]
    later = torch.ones(n, n, dtype=torch.bool).triu(1)
    smaller = (x.unsqueeze(-1) < x.unsqueeze(-2)) | ((x.unsqueeze(-1) == x.unsqueeze(-2)) & later)
    rank = smaller.long().sum(-2)
    return (F.one_hot(rank, n) * torch.arange(n).unsqueeze(-1)).sum(-2)


def top_k(x, k):
    n = x.shape[-1]
    if k not in range(n + 1):
        raise ValueError("0 <= k <= n")
    y = x.detach()
    a, b = y.unsqueeze(-1), y.unsqueeze(-2)
    first = torch.ones(n, n, dtype=torch.bool).triu(1)
    rank = ((a > b) | ((a == b) & first)).long().sum(-2)
    order = (F.one_hot(rank, n) * torch.arange(n).unsqueeze(-1)).sum(-2)[..., :k]
    return x.gather(-1, order), order


def window_sums(x, w):
    if w <= 0:
        raise ValueError("a window has at least one element")
    # sums of the last 1, 2, 4, … elements, put together along the binary digits of w
    total, reach, power, left = torch.zeros_like(x), 0, x, min(w, x.shape[-1])
    step = 1
    while left:
        if left % 2:
            total = total + (shifted(power, reach, 0) if reach else power)
            reach += step
        left //= 2
        power = power + shifted(power, min(step, x.shape[-1]), 0)
        step *= 2
    return total
