"""Three ways to sample."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor


def gumbel_top_k(logits: Tensor, k: int, generator: torch.Generator | None = None) -> Tensor:
    """Return k different indices for each row of logits (B, V), in the order of the draws."""
    raise NotImplementedError


def alias_table(weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return keep and alias, both (V,)."""
    raise NotImplementedError


def alias_draw(keep: Tensor, alias: Tensor, n: int, generator: torch.Generator | None = None) -> Tensor:
    """Return n independent draws from a table."""
    raise NotImplementedError


def reservoir(stream: Iterable[Any], k: int, generator: torch.Generator | None = None) -> list[Any]:
    """Return k items of the stream, or all of them if there are fewer."""
    raise NotImplementedError
