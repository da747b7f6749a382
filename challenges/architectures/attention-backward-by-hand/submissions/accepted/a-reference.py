"""Weights that are 0 wherever the mask is False: then the backward pass needs no mask, and no NaN can enter it."""

import math

from torch import Tensor


def weights(q: Tensor, k: Tensor, mask: Tensor | None) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1)
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    return weights(q, k, mask) @ v


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, grad: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    p = weights(q, k, mask)
    dv = p.mT @ grad
    dp = grad @ v.mT
    dz = p * (dp - (p * dp).sum(-1, keepdim=True))
    dz = dz / math.sqrt(q.shape[-1])
    dq = dz @ k
    dk = dz.mT @ q
    return dq.sum_to_size(q.shape), dk.sum_to_size(k.shape), dv.sum_to_size(v.shape)
