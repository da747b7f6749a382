from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import torch


@dataclass
class Head:
    """One attention computation, each intermediate a property."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    mask: torch.Tensor | None = None
    trace: list[str] = field(default_factory=list)

    @cached_property
    def scores(self) -> torch.Tensor:
        self.trace.append("scores")
        raw = torch.matmul(self.q, torch.swapaxes(self.k, -1, -2))
        return raw / math.sqrt(self.k.size(-1))

    @cached_property
    def logits(self) -> torch.Tensor:
        self.trace.append("logits")
        if self.mask is None:
            return self.scores
        return torch.where(self.mask, self.scores, torch.finfo(self.scores.dtype).min)

    @cached_property
    def weights(self) -> torch.Tensor:
        self.trace.append("weights")
        weights = torch.softmax(self.logits, dim=-1)
        return weights if self.mask is None else weights * self.mask

    def __call__(self) -> torch.Tensor:
        return torch.matmul(self.weights, self.v)


def attention(q, k, v, mask=None):
    return Head(q, k, v, mask)()
