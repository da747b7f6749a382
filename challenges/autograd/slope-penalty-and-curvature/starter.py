"""Gradients that are part of a computation."""

from collections.abc import Callable

from torch import Tensor, nn


def gradient_penalty(critic: nn.Module, real: Tensor, fake: Tensor, alpha: Tensor) -> Tensor:
    """The mean of (|slope of a mixed sample| - 1) squared; differentiable in the critic's parameters."""
    raise NotImplementedError


def hvp(f: Callable[[Tensor], Tensor], x: Tensor, v: Tensor) -> Tensor:
    """The Hessian of f at x times v, in the shape of x."""
    raise NotImplementedError
