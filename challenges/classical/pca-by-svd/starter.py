"""Principal components from a singular value decomposition."""

from torch import Tensor


def fit(x: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return mean (d,), components (k, d), variance (k,) and share (k,) of rows (n, d)."""
    raise NotImplementedError


def transform(x: Tensor, mean: Tensor, components: Tensor) -> Tensor:
    """Return the coordinates (m, k) of rows (m, d)."""
    raise NotImplementedError


def inverse_transform(z: Tensor, mean: Tensor, components: Tensor) -> Tensor:
    """Return the rows (m, d) that have the coordinates z (m, k)."""
    raise NotImplementedError
