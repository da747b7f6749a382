"""Two passes over the blocks: the first finds each query's largest permitted score, the second sums."""

import math

import torch


def blockwise_attention(q, k, v, block, keep=None, causal=False):
    n_queries, n_keys = q.size(2), k.size(2)
    scale = 1 / math.sqrt(q.size(3))
    bounds = [(a, min(a + block, n_keys)) for a in range(0, n_keys, block)]
    query = torch.arange(n_queries).unsqueeze(1)

    def forbidden(a, b):
        mask = torch.zeros(1, 1, n_queries, b - a, dtype=torch.bool)
        if causal:
            mask = mask | (torch.arange(a, b) > query + n_keys - n_queries)
        if keep is not None:
            mask = mask | keep[:, a:b].logical_not()[:, None, None]
        return mask

    def scores(a, b):
        z = torch.matmul(q * scale, k[:, :, a:b].transpose(2, 3))
        return z.masked_fill(forbidden(a, b), float("-inf"))

    with torch.no_grad():
        peak = torch.tensor(-torch.inf, dtype=q.dtype)
        for a, b in bounds:
            peak = torch.maximum(peak, scores(a, b).amax(3, keepdim=True))
        peak = torch.where(peak.isinf(), torch.zeros_like(peak), peak)

    numerator, denominator = 0, 0
    for a, b in bounds:
        w = torch.exp(scores(a, b) - peak)
        numerator = numerator + torch.matmul(w, v[:, :, a:b])
        denominator = denominator + w.sum(3, keepdim=True)
    return numerator / denominator.clamp(min=torch.finfo(q.dtype).tiny)
