"""A sparse matrix that averages over neighbours, and its products."""

from torch import Tensor


def row_normalised_adjacency(edges: Tensor, n: int) -> Tensor:
    """(2, E) int64 -> coalesced sparse COO (n, n), float32, whose non-empty rows sum to 1."""
    raise NotImplementedError


def propagate(adjacency: Tensor, x: Tensor, k: int) -> Tensor:
    """adjacency to the power of k, times x."""
    raise NotImplementedError
