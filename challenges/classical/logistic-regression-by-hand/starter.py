"""Logistic regression without autograd."""

from torch import Tensor


def loss_and_gradient(x: Tensor, y: Tensor, w: Tensor, b: Tensor, l2: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
    """Return the penalised mean loss (), its gradient for w (d,) and its gradient for b ()."""
    raise NotImplementedError


def fit(
    x: Tensor, y: Tensor, l2: float = 0.0, lr: float = 0.5, steps: int = 1000, tol: float = 1e-6
) -> tuple[Tensor, Tensor, int]:
    """Return weights (d,), bias () and the number of steps of gradient descent that were taken."""
    raise NotImplementedError
