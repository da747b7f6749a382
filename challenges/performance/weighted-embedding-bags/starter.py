from torch import Tensor


def weighted_bags(table: Tensor, indices: Tensor, weights: Tensor) -> Tensor:
    """(V, d), (B, L), (B, L) -> (B, d): the weighted sum of the rows that a bag names"""
    raise NotImplementedError
