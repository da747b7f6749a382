"""Weights as the exponential of a log-softmax, computed one precision higher and rounded once at the end."""

import torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    wide = [x.to(torch.float64) for x in (q, k, v)]
    scores = wide[0] @ wide[1].transpose(-1, -2) * (1 / q.shape[-1] ** 0.5)
    if mask is None:
        mask = scores.new_ones((), dtype=torch.bool)
    alive = mask.expand(scores.shape).any(dim=-1, keepdim=True)
    scores = scores.where(mask | ~alive, scores.new_tensor(-torch.inf))
    weights = scores.log_softmax(dim=-1).exp() * alive
    return (weights @ wide[2]).type_as(q)
