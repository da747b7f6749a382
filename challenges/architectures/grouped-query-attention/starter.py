"""Grouped-query attention, and the conversion of a multi-head checkpoint."""

from torch import Tensor


def grouped_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False) -> Tensor:
    """q (B, H, T, e), k and v (B, G, S, e) to (B, H, T, e); query head h uses key/value head h // (H / G)."""
    raise NotImplementedError


def pool_heads(weight: Tensor, num_heads: int, num_kv_heads: int) -> Tensor:
    """Average the heads of each group: (H e, d) to (G e, d), or (H e,) to (G e,)."""
    raise NotImplementedError
