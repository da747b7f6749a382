"""Shortest paths and the lightest tree of a graph."""

from torch import Tensor


def from_source(weights: Tensor, source: int) -> Tensor:
    """Return the distance of each node from source, (n,)."""
    raise NotImplementedError


def all_pairs(weights: Tensor) -> Tensor:
    """Return the distance from each node to each other, (n, n)."""
    raise NotImplementedError


def lightest_tree(weights: Tensor) -> Tensor:
    """Return the total weight of the lightest tree that connects all nodes, without dimensions."""
    raise NotImplementedError
