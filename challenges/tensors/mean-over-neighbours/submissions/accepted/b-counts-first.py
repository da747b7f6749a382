"""Counts are coalesced first, then divided by their sums; the product is written with index_add."""

import torch


def row_normalised_adjacency(edges, n):
    counts = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (n, n)).coalesce()
    rows = counts.indices()[0]
    total = torch.zeros(n).index_add(0, rows, counts.values())
    found = torch.sparse_coo_tensor(counts.indices(), counts.values() / total[rows], (n, n))
    return found.coalesce()


def propagate(adjacency, x, k):
    matrix = adjacency.coalesce()
    source, target = matrix.indices()
    weights = matrix.values()[:, None]
    for _ in range(k):
        x = torch.zeros_like(x).index_add(0, source, weights * x[target])
    return x
