"""A letter for each axis: einsum folds what one operand has alone."""

import torch


def grouped_attention(q, k, v, causal=False):
    H, G = q.size(1), k.size(1)
    if H % G != 0:
        raise ValueError("G must divide H")
    T, S = q.size(2), k.size(2)
    q = q.unflatten(1, (G, H // G)) * q.size(-1) ** -0.5
    scores = torch.einsum("bgrte,bgse->bgrts", q, k)
    if causal:
        late = torch.arange(S) > torch.arange(S - T, S)[:, None]
        scores = scores.masked_fill(late, float("-inf"))
    return torch.einsum("bgrts,bgse->bgrte", torch.softmax(scores, -1), v).flatten(1, 2)


def pool_heads(weight, num_heads, num_kv_heads):
    if num_heads % num_kv_heads != 0 or len(weight) % num_heads != 0:
        raise ValueError("sizes do not divide")
    e = len(weight) // num_heads
    heads = weight.split(e)
    R = num_heads // num_kv_heads
    return torch.cat([torch.stack(heads[g * R : (g + 1) * R]).mean(0) for g in range(num_kv_heads)])
