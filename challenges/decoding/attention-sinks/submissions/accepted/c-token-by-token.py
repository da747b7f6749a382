"""A prompt is a loop over tokens, and the rotation is a product with a matrix for each position."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention


def matrices(count, e, base, dtype):
    half = e // 2
    theta = torch.tensor([base ** (-2 * f / e) for f in range(half)], dtype=torch.float64)
    angles = torch.arange(count, dtype=torch.float64)[:, None] * theta
    cos, sin = torch.diag_embed(angles.cos()), torch.diag_embed(angles.sin())
    return torch.cat([torch.cat([cos, -sin], -1), torch.cat([sin, cos], -1)], -2).to(dtype)


def step(q, k, v, cache, sinks, window, base=10000.0):
    if sinks < 0:
        raise ValueError("negative number of sinks")
    if window < 1:
        raise ValueError("the window is empty")
    rows = [] if cache is None else list(zip(cache[0].unbind(2), cache[1].unbind(2), strict=True))
    rows.append((k, v))
    if len(rows) == sinks + window + 1:
        del rows[sinks]
    keys = torch.stack([row[0] for row in rows], dim=2)
    values = torch.stack([row[1] for row in rows], dim=2)
    turns = matrices(len(rows), q.shape[-1], base, q.dtype)
    there = torch.einsum("sef,bhsf->bhse", turns, keys)
    here = torch.einsum("ef,bhf->bhe", turns[-1], q)[:, :, None]
    out = scaled_dot_product_attention(here, there, values, scale=1 / math.sqrt(q.shape[-1]))
    return out.squeeze(2), (keys, values)


def prefill(q, k, v, sinks, window, base=10000.0):
    cache, outs = None, []
    for t in range(q.shape[2]):
        out, cache = step(q[:, :, t], k[:, :, t], v[:, :, t], cache, sinks, window, base)
        outs.append(out)
    return torch.stack(outs, dim=2), cache
