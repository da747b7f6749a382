"""Gradient descent with nothing but autograd."""

from collections.abc import Callable

from torch import Tensor


def minimise(f: Callable[[Tensor], Tensor], x0: Tensor, lr: float, steps: int) -> Tensor:
    """The point after `steps` steps of gradient descent on f, starting at x0."""
    raise NotImplementedError
