# caught by: test_no_copies_for_every_head[plain]
"""repeat_interleave makes H heads again: right, and the memory is spent."""

import math

import torch
from torch import Tensor


def grouped_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False) -> Tensor:
    B, H, T, e = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError(f"{G} key/value heads do not divide {H} query heads")
    R = H // G
    k, v = k.repeat_interleave(R, dim=1), v.repeat_interleave(R, dim=1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(e)
    if causal:
        allowed = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1)
    return weights @ v


def pool_heads(weight: Tensor, num_heads: int, num_kv_heads: int) -> Tensor:
    rows = weight.shape[0]
    if num_heads % num_kv_heads or rows % num_heads:
        raise ValueError(f"{rows} rows, {num_heads} heads, {num_kv_heads} key/value heads: one does not divide the other")
    cut = weight.unflatten(0, (num_kv_heads, num_heads // num_kv_heads, rows // num_heads))
    return cut.mean(1).flatten(0, 1)
