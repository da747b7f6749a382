"""One token evicts at index S; all tokens count their positions along the rows of the mask."""

import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rotated(x: Tensor, positions: Tensor, base: float) -> Tensor:
    half = x.shape[-1] // 2
    angles = positions[..., None] * base ** (-torch.arange(half, dtype=x.dtype) / half)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def checked(sinks: int, window: int) -> None:
    if sinks < 0 or window < 1:
        raise ValueError(f"no cache has {sinks} sinks and a window of {window}")


def step(
    q: Tensor, k: Tensor, v: Tensor, cache: Cache | None, sinks: int, window: int, base: float = 10000.0
) -> tuple[Tensor, Cache]:
    checked(sinks, window)
    keys, values = k[:, :, None], v[:, :, None]
    if cache is not None:
        keys, values = torch.cat([cache[0], keys], dim=2), torch.cat([cache[1], values], dim=2)
    if keys.shape[2] > sinks + window:
        keys, values = (torch.cat([x[:, :, :sinks], x[:, :, sinks + 1 :]], dim=2) for x in (keys, values))
    places = torch.arange(keys.shape[2])
    scores = rotated(q[:, :, None], places[-1:], base) @ rotated(keys, places, base).mT / math.sqrt(q.shape[-1])
    return (scores.softmax(-1) @ values)[:, :, 0], (keys, values)


def prefill(
    q: Tensor, k: Tensor, v: Tensor, sinks: int, window: int, base: float = 10000.0
) -> tuple[Tensor, Cache]:
    checked(sinks, window)
    n = torch.arange(q.shape[2])
    seen = (n <= n[:, None]) & ((n < sinks) | (n > n[:, None] - window))
    places = seen.cumsum(1) - 1
    scores = torch.einsum(
        "bhte,bhtse->bhts", rotated(q, places.diagonal(), base), rotated(k[:, :, None], places, base)
    )
    scores = (scores / math.sqrt(q.shape[-1])).masked_fill(~seen, -math.inf)
    return scores.softmax(-1) @ v, (k[:, :, seen[-1]], v[:, :, seen[-1]])
