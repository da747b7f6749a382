"""Floyd and Warshall: one node more is permitted between the ends in each round; the tree by contracting nodes."""

import torch


def all_pairs(weights):
    d = weights.detach().clone()
    d.diagonal().clamp_(max=0)
    for via in range(len(d)):
        d = torch.minimum(d, d[:, via, None] + d[via])
    if bool((torch.diagonal(d) < 0).any()):
        raise ValueError("negative cycle")
    return d


def from_source(weights, source):
    n = weights.shape[0]
    reached = torch.arange(n) == source
    linked = weights.detach() < float("inf")
    for _ in range(n):
        reached = reached | (reached[:, None] & linked).any(0)
    # nothing but reachable nodes takes part
    inner = weights.detach().masked_fill(~(reached[:, None] & reached), float("inf"))
    return all_pairs(inner)[source]


def lightest_tree(weights):
    n = weights.shape[0]
    inf = float("inf")
    w = weights.detach().clone()
    w.fill_diagonal_(inf)
    total = torch.tensor(0.0, dtype=w.dtype)
    group = torch.arange(n)
    for _ in range(n - 1):
        between = torch.where(group[:, None] != group, w, inf)
        best = between.min()
        if torch.isinf(best):
            return best
        place = int((between == best).flatten().int().argmax())
        a, b = divmod(place, n)
        group = torch.where(group == group[b], group[a], group)
        total = total + best
    return total


