# caught by: test_pooling[bias]
"""Wants two dimensions."""

import math

import torch
from torch import Tensor


def grouped_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False) -> Tensor:
    B, H, T, e = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError(f"{G} key/value heads do not divide {H} query heads")
    R = H // G
    folded = q.reshape(B, G, R * T, e)
    scores = (folded @ k.transpose(-2, -1) / math.sqrt(e)).view(B, G, R, T, S)
    if causal:
        allowed = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).view(B, G, R * T, S)
    return (weights @ v).view(B, H, T, e)


def pool_heads(weight: Tensor, num_heads: int, num_kv_heads: int) -> Tensor:
    rows = weight.shape[0]
    if num_heads % num_kv_heads or rows % num_heads:
        raise ValueError(f"{rows} rows, {num_heads} heads, {num_kv_heads} key/value heads: one does not divide the other")
    d = weight.shape[1]
    cut = weight.view(num_kv_heads, num_heads // num_kv_heads, rows // num_heads, d)
    return cut.mean(1).flatten(0, 1)
