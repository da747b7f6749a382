# caught by: test_values_and_gradients[causal-square]
"""The folded mask repeats each row R times instead of the whole triangle."""

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
    scores = folded @ k.transpose(-2, -1) / math.sqrt(e)
    if causal:
        allowed = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
        scores = scores.masked_fill(~allowed.repeat_interleave(R, dim=0), -math.inf)
    weights = scores.softmax(-1)
    return (weights @ v).view(B, H, T, e)


def pool_heads(weight: Tensor, num_heads: int, num_kv_heads: int) -> Tensor:
    rows = weight.shape[0]
    if num_heads % num_kv_heads or rows % num_heads:
        raise ValueError(f"{rows} rows, {num_heads} heads, {num_kv_heads} key/value heads: one does not divide the other")
    cut = weight.unflatten(0, (num_kv_heads, num_heads // num_kv_heads, rows // num_heads))
    return cut.mean(1).flatten(0, 1)
