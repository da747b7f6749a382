"""Each edge gets its weight first; coalesce adds up what is repeated."""

import torch
from torch import Tensor


def row_normalised_adjacency(edges: Tensor, n: int) -> Tensor:
    source = edges[0]
    degree = torch.bincount(source)
    weights = 1 / degree[source]
    return torch.sparse_coo_tensor(edges, weights, (n, n)).coalesce()


def propagate(adjacency: Tensor, x: Tensor, k: int) -> Tensor:
    for _ in range(k):
        x = adjacency @ x
    return x
