"""Two levels: a loop inside of all blocks at once, then a loop over the blocks that hands the states on."""

import math

import torch


def scan(a, u, h=None):
    n, T, d, s = a.shape
    width = math.isqrt(T - 1) + 1
    count = -(-T // width)
    spare = count * width - T
    if spare:
        a = torch.cat([a, a.new_zeros(n, spare, d, s)], 1)
        u = torch.cat([u, u.new_zeros(n, spare, d, s)], 1)
    a, u = a.view(n, count, width, d, s), u.view(n, count, width, d, s)
    factors, sums = [], []
    for late, summand in zip(a.unbind(2), u.unbind(2), strict=True):
        sums.append(torch.addcmul(summand, late, sums[-1]) if sums else summand)
        factors.append(late * factors[-1] if factors else late)
    h = a.new_zeros(n, d, s) if h is None else h
    starts = []
    for factor, summand in zip(factors[-1].unbind(1), sums[-1].unbind(1), strict=True):
        starts.append(h)
        h = torch.addcmul(summand, factor, h)
    states = torch.stack(factors, 2) * torch.stack(starts, 1)[:, :, None] + torch.stack(sums, 2)
    return states.reshape(n, count * width, d, s)[:, :T]


def step(h, x, delta, A, B, C):
    if h is None:
        h = x.new_zeros(*x.shape, A.shape[1])
    y, h = chunked(x[:, None], delta[:, None], A, B[:, None], C[:, None], 1, h)
    return y[:, 0], h


def chunked(x, delta, A, B, C, size, h=None):
    T = x.shape[1]
    out, start = [], 0
    while start < T:
        now = slice(start, min(start + size, T))
        decay = (delta[:, now].unsqueeze(-1) * A).exp()
        written = delta[:, now].unsqueeze(-1) * x[:, now].unsqueeze(-1) * B[:, now].unsqueeze(-2)
        states = scan(decay, written, h)
        out.append((states @ C[:, now].unsqueeze(-1)).squeeze(-1))
        h = states[:, -1]
        start += size
    return torch.cat(out, dim=1), h
