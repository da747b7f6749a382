"""Softmax by hand: shifted, in the logarithm, and under a mask."""

from torch import Tensor


def log_softmax(x: Tensor, dim: int) -> Tensor:
    """Return x - log(sum(exp(x))) along dim, for scores of any size."""
    raise NotImplementedError


def masked_softmax(x: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Return the softmax along dim over the entries where mask is True, and 0 elsewhere."""
    raise NotImplementedError
