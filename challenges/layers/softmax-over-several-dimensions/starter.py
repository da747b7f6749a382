"""Softmax over several dimensions: shifted, in the logarithm, and under a mask."""

from torch import Tensor


def log_softmax(x: Tensor, dims: int | tuple[int, ...]) -> Tensor:
    """Return x - log(sum(exp(x))), where the sum runs over all of dims together."""
    raise NotImplementedError


def masked_softmax(x: Tensor, mask: Tensor, dims: int | tuple[int, ...]) -> Tensor:
    """Return the softmax over dims together, over the entries where mask is True, and 0 elsewhere."""
    raise NotImplementedError
