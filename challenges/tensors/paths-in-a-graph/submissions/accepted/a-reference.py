"""Reference: rounds of relaxation, products of minima and sums by doubling, and a tree that grows by one node at a time."""

import torch
from torch import Tensor


def from_source(weights: Tensor, source: int) -> Tensor:
    n = len(weights)
    distance = torch.full((n,), torch.inf, dtype=weights.dtype)
    distance[source] = 0
    for _ in range(n):
        closer = torch.minimum(distance, (distance[:, None] + weights).amin(0))
        if torch.equal(closer, distance):
            return distance
        distance = closer
    raise ValueError("a negative cycle can be reached")


def all_pairs(weights: Tensor) -> Tensor:
    n = len(weights)
    none = torch.full_like(weights, torch.inf).fill_diagonal_(0)
    distance = torch.minimum(weights, none)
    for _ in range(n.bit_length()):  # paths of up to n edges and more: one more than a path without a cycle has
        distance = (distance[:, :, None] + distance).amin(1)
    if (distance.diagonal() < 0).any():
        raise ValueError("the graph has a negative cycle")
    return distance


def lightest_tree(weights: Tensor) -> Tensor:
    n = len(weights)
    outside = torch.ones(n, dtype=torch.bool)
    outside[0] = False
    lightest = weights[0]  # the lightest edge from the tree to each node
    total = weights.new_zeros(())
    for _ in range(n - 1):
        length, node = lightest.masked_fill(~outside, torch.inf).min(0)
        if length == torch.inf:
            return length
        total = total + length
        outside[node] = False
        lightest = torch.minimum(lightest, weights[node])
    return total
