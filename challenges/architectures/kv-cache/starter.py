"""Causal self-attention with a key/value cache."""

from torch import Tensor, nn

Cache = tuple[Tensor, Tensor]


class CachedAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """x (B, T, d_model), the newest tokens; gives their outputs and the cache that includes them."""
        raise NotImplementedError
