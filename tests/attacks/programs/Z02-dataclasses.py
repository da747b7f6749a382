# id: honest
# tries: nothing: an honest answer with dataclasses, postponed annotations, an enumeration and a typed named tuple
# expect: AC
from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import torch


class Way(enum.Enum):
    SOFT = enum.auto()


class Inputs(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor


@dataclass(frozen=True, slots=True)
class Attention:
    inputs: Inputs
    way: Way = Way.SOFT
    notes: list[str] = field(default_factory=list)

    def __call__(self) -> torch.Tensor:
        q, k, v = self.inputs
        return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


def attention(q, k, v):
    return Attention(Inputs(q, k, v))()
