"""Reference: a running maximum, a running sum and a running weighted sum; the maximum is outside of the graph."""

import math

import torch
from torch import Tensor


def blockwise_attention(
    q: Tensor, k: Tensor, v: Tensor, block: int, keep: Tensor | None = None, causal: bool = False
) -> Tensor:
    T, S = q.shape[-2], k.shape[-2]
    q = q / math.sqrt(q.shape[-1])
    top = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, out = torch.zeros_like(top), v.new_zeros((*q.shape[:-1], v.shape[-1]))
    last = torch.arange(T, device=q.device)[:, None] + (S - T)  # the last key of each query, (T, 1)
    for start in range(0, S, block):
        keys = torch.arange(start, min(start + block, S), device=q.device)
        scores = q @ k[..., keys, :].mT  # (B, H, T, block)
        if causal:
            scores = scores.masked_fill(keys > last, -math.inf)
        if keep is not None:
            scores = scores.masked_fill(~keep[:, None, None, keys], -math.inf)
        higher = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        shift = higher.masked_fill(higher == -math.inf, 0.0)  # nothing permitted yet
        weights, scale = (scores - shift).exp(), (top - shift).exp()
        total = total * scale + weights.sum(-1, keepdim=True)
        out = out * scale + weights @ v[..., keys, :]
        top = higher
    return out / total.masked_fill(total == 0, 1.0)
