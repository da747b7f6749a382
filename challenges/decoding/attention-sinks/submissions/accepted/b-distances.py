"""Only distances to sinks differ from those in the text, so a prompt needs two products of scores and no more."""

import torch
import torch.nn.functional as F


def turn(x, positions, base):
    e = x.shape[-1]
    theta = torch.pow(torch.tensor(base, dtype=torch.float64), -torch.arange(0, e, 2, dtype=torch.float64) / e)
    angle = torch.outer(positions.double(), theta)
    pair = torch.complex(*x.chunk(2, dim=-1)) * torch.polar(torch.ones_like(angle), angle).to(x.dtype.to_complex())
    return torch.cat([pair.real, pair.imag], dim=-1)


def prefill(q, k, v, sinks, window, base=10000.0):
    if not (sinks >= 0 and window > 0):
        raise ValueError("sinks or window")
    T, e = q.shape[2:]
    i = torch.arange(T)
    near = turn(q, i, base) @ turn(k, i, base).transpose(-1, -2)
    far = turn(q, i.clamp(max=sinks + window - 1), base) @ turn(k, i, base).transpose(-1, -2)
    scores = torch.where(i < sinks, far, near) * e**-0.5
    behind = i[:, None] - i
    hidden = (behind < 0) | ((behind >= window) & (i >= sinks))
    out = F.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1) @ v
    kept = i[~hidden[-1]]
    return out, (k.index_select(2, kept), v.index_select(2, kept))


def step(q, k, v, cache, sinks, window, base=10000.0):
    if not (sinks >= 0 and window > 0):
        raise ValueError("sinks or window")
    keys, values = k.unsqueeze(2), v.unsqueeze(2)
    if cache is not None:
        old = cache[0].shape[2]
        if old == sinks + window:
            kept = torch.tensor([p for p in range(old) if p != sinks], dtype=torch.long)
            cache = [x.index_select(2, kept) for x in cache]
        keys, values = torch.cat([cache[0], keys], 2), torch.cat([cache[1], values], 2)
    away = torch.arange(keys.shape[2]) - keys.shape[2] + 1
    scores = torch.einsum("bhe,bhse->bhs", q, turn(keys, away, base)) / e_root(q)
    return torch.einsum("bhs,bhsm->bhm", F.softmax(scores, -1), values), (keys, values)


def e_root(q):
    return q.shape[-1] ** 0.5
