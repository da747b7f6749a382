"""Calls your function where the caller's tensor lives, and writes to the result."""

from torch import Tensor


def after_write(solution, x: Tensor, k: float, index) -> Tensor:
    """The caller's tensor after a write to every element of the result."""
    x = x.clone()  # the test compares with its own
    result = solution.suppress_outliers(x, k, index)
    result.detach().add_(100)
    return x
