"""Each pair becomes one number, so that unique() counts it; the product runs on a CSR matrix, recursively."""

import torch


def row_normalised_adjacency(edges, n):
    codes, times = torch.unique(edges[0] * n + edges[1], return_counts=True)
    rows, cols = codes // n, codes % n
    degree = torch.zeros(n, dtype=torch.int64).scatter_add_(0, rows, times)
    values = (times / degree[rows]).to(torch.float32)
    return torch.sparse_coo_tensor(torch.stack([rows, cols]), values, (n, n), is_coalesced=True)


def propagate(adjacency, x, k):
    if k == 0:
        return x.clone()
    return torch.sparse.mm(adjacency, propagate(adjacency, x, k - 1))
