"""Reference: old slots and new keys side by side under one mask over positions, then a write of the last W tokens."""

import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor, Tensor]


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, slopes: Tensor, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    if window < 1:
        raise ValueError(f"window must be at least 1, got {window}")
    if cache is None:
        empty = k.new_zeros(*k.shape[:2], window, k.shape[3])
        cache = empty, empty, torch.full((window,), -1)
    old_k, old_v, old = cache
    if len(old) != window:
        raise ValueError(f"a cache of {len(old)} slots for a window of {window}")
    start = int(old.max()) + 1
    new = torch.arange(start, start + q.shape[2])
    at = torch.cat([old, new])
    distance = new[:, None] - at
    seen = (at >= 0) & (distance >= 0) & (distance < window)
    scores = q @ torch.cat([old_k, k], dim=2).mT / math.sqrt(q.shape[3])
    scores = scores - slopes[:, None, None] * distance
    out = scores.masked_fill(~seen, -math.inf).softmax(-1) @ torch.cat([old_v, v], dim=2)
    last = new[-window:]
    slots = last % window
    keys = old_k.index_copy(2, slots, k[:, :, -window:])
    values = old_v.index_copy(2, slots, v[:, :, -window:])
    return out, (keys, values, old.index_copy(0, slots, last))
