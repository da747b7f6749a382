"""Seats are given out by a plain loop; the matrices of each served choice are gathered and multiplied in one batch."""

import torch


def moe(x, router, w_in, w_out, k, capacity=None):
    N, E = len(x), len(router)
    p = torch.softmax(torch.einsum("nd,ed->ne", x, router), dim=1)
    ranking = p.detach().sort(dim=1, descending=True).indices[:, :k].tolist()

    used, tokens, experts, norm = [0] * E, [], [], []
    for r in range(k):
        for t in range(N):
            e = ranking[t][r]
            if capacity is None or used[e] < capacity:
                used[e] += 1
                tokens.append(t)
                experts.append(e)
    total = torch.stack([p[t, ranking[t]].sum() for t in range(N)])
    tokens, experts = torch.tensor(tokens), torch.tensor(experts)

    hidden = torch.bmm(x[tokens].unsqueeze(1), w_in[experts]).clamp(min=0)  # (M, 1, h)
    out = torch.bmm(hidden, w_out[experts]).squeeze(1)
    gate = p[tokens, experts] / total[tokens]
    y = torch.zeros_like(x).index_put((tokens,), gate.unsqueeze(1) * out, accumulate=True)

    choices = [e for row in ranking for e in row]
    share = torch.tensor([choices.count(e) / (N * k) for e in range(E)], dtype=x.dtype)
    return y, E * (share * p).sum() / N
