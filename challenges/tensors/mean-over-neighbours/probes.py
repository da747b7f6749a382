"""Turns sparse tensors into plain ones, next to your answer."""

import torch
from torch import Tensor


def matrix(solution, edges: Tensor, n: int) -> dict:
    """row_normalised_adjacency, taken apart."""
    given = edges.clone()
    found = solution.row_normalised_adjacency(given, n)
    sparse = found.layout == torch.sparse_coo
    inner = found.coalesce() if sparse else found.to_sparse()
    return {
        "sparse": sparse,
        "coalesced": sparse and found.is_coalesced(),
        "shape": tuple(found.shape),
        "stored": found._nnz() if sparse else found.numel(),
        "indices": inner.indices(),
        "values": inner.values(),
        "kept": torch.equal(given, edges),
    }


def product(solution, indices: Tensor, values: Tensor, x: Tensor, k: int, upstream: Tensor) -> dict:
    """propagate with a matrix of these entries, and the gradient of x for this gradient of the result."""
    n = x.shape[0]
    adjacency = torch.sparse_coo_tensor(indices.clone(), values.clone(), (n, n))
    before, leaf = adjacency.to_dense(), x.clone().requires_grad_()
    found = solution.propagate(adjacency, leaf, k)
    recorded = found.requires_grad
    if recorded:
        found.backward(upstream)
    return {
        "result": found.detach(),
        "recorded": recorded,
        "grad": torch.zeros_like(x) if leaf.grad is None else leaf.grad,
        "kept": torch.equal(leaf.detach(), x) and torch.equal(adjacency.to_dense(), before),
    }


def large(solution, edges: Tensor, x: Tensor, k: int) -> dict:
    """Both functions on one graph."""
    adjacency = solution.row_normalised_adjacency(edges, x.shape[0])
    return {"stored": adjacency._nnz(), "result": solution.propagate(adjacency, x, k)}
