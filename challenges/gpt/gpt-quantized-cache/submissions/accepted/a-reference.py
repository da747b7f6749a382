"""Scale by the largest element of each row; scales are applied to scores and weights."""

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor, Tensor, Tensor]


def quantize(x: Tensor) -> tuple[Tensor, Tensor]:
    scale = x.abs().amax(-1, keepdim=True) / 127
    scale = torch.where(scale == 0, 1.0, scale)
    return (x / scale).round().clamp(-127, 127).to(torch.int8), scale


def dequantize(q: Tensor, scale: Tensor) -> Tensor:
    return q * scale


def append(cache: Cache | None, keys: Tensor, values: Tensor) -> Cache:
    new = (*quantize(keys), *quantize(values))
    if cache is None:
        return new
    return tuple(torch.cat([old, part], dim=2) for old, part in zip(cache, new, strict=True))


def attend(queries: Tensor, cache: Cache) -> Tensor:
    qk, sk, qv, sv = cache
    scores = queries @ qk.to(queries.dtype).mT * sk.mT / queries.shape[-1] ** 0.5
    weights = scores.softmax(-1) * sv.mT
    return weights @ qv.to(queries.dtype)
