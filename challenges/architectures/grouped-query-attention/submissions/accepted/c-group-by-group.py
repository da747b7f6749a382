"""A loop over the key/value heads; softmax from exponentials."""

import torch


def grouped_attention(q, k, v, causal=False):
    B, H, T, e = q.shape
    G, S = k.shape[1:3]
    R, rest = divmod(H, G)
    if rest:
        raise ValueError(f"H = {H}, G = {G}")
    outs = []
    for g in range(G):
        mine = q[:, g * R : (g + 1) * R].flatten(1, 2)  # (B, R * T, e)
        scores = torch.bmm(mine, k[:, g].mT) / e**0.5
        if causal:
            hidden = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1).repeat(R, 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        weights = weights / weights.sum(-1, keepdim=True)
        outs.append(torch.bmm(weights, v[:, g]).unflatten(1, (R, T)))
    return torch.cat(outs, dim=1)


def pool_heads(weight, num_heads, num_kv_heads):
    rows = weight.size(0)
    if num_heads % num_kv_heads or rows % num_heads:
        raise ValueError
    # a matrix that averages: one block for each group
    e, R = rows // num_heads, num_heads // num_kv_heads
    mixing = torch.kron(torch.eye(num_kv_heads), torch.kron(torch.full((1, R), 1 / R, dtype=torch.float64), torch.eye(e)))
    return mixing.to(weight.dtype) @ weight
