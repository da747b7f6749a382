"""Lengths, angles and losses with a margin."""

from torch import Tensor


def unit(x: Tensor, order: int = 2, dim: int | None = -1) -> Tensor:
    """Return x divided by its length along dim, or by the length of all of it."""
    raise NotImplementedError


def cosine(a: Tensor, b: Tensor) -> Tensor:
    """Return the cosine of the angle between the vectors in the last dimension."""
    raise NotImplementedError


def hinge_loss(scores: Tensor, labels: Tensor, margin: float = 1.0) -> Tensor:
    """Return the mean hinge loss of scores for labels 1 and -1."""
    raise NotImplementedError


def triplet_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0) -> Tensor:
    """Return the mean by which a positive is not closer than a negative by the margin."""
    raise NotImplementedError


def cosine_loss(a: Tensor, b: Tensor, labels: Tensor, margin: float = 0.0) -> Tensor:
    """Return the mean loss of pairs that belong together (1) or apart (-1)."""
    raise NotImplementedError
