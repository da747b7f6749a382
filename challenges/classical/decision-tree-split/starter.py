"""The best split of a node of a decision tree."""

from torch import Tensor


def best_split(x: Tensor, y: Tensor, criterion: str = "gini", min_leaf: int = 1) -> tuple[int, float, float] | None:
    """The feature, the threshold and the gain of the best split of x (n, d) for the targets y (n,)."""
    raise NotImplementedError
