"""A forward pass of a GPT with a cache of keys and values."""

from given import GPT
from torch import Tensor

Cache = list[tuple[Tensor, Tensor]]


def forward_with_cache(model: GPT, ids: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
    """Scores of the newest tokens ids (B, T), and the cache that includes them."""
    raise NotImplementedError
