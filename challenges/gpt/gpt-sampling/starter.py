"""Writing text with a language model."""

import torch
from torch import Tensor, nn


def next_token(
    scores: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """(B, V) -> (B,) of int64"""
    raise NotImplementedError


def generate(
    model: nn.Module,
    ids: Tensor,
    steps: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    end: int | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """(B, T) -> (B, T + steps)"""
    raise NotImplementedError
