"""Products with a Jacobian, from the left and from the right."""

from collections.abc import Callable

from torch import Tensor


def gradient_of(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor | None = None) -> Tensor:
    """J^T v, in the shape of x. Raises ValueError if v is missing for several outputs, or has another shape than f(x)."""
    raise NotImplementedError


def directional_of(f: Callable[[Tensor], Tensor], x: Tensor, u: Tensor) -> Tensor:
    """J u, in the shape of f(x). Raises ValueError if u has another shape than x."""
    raise NotImplementedError
