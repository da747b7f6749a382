"""Gradients of inputs and of intermediate results."""

from collections.abc import Callable, Sequence

from torch import Tensor, nn


def input_saliency(model: nn.Module, x: Tensor) -> Tensor:
    """The absolute gradient of each row's largest score with respect to this row of x."""
    raise NotImplementedError


def intermediate_grads(fns: Sequence[Callable[[Tensor], Tensor]], x: Tensor) -> list[Tensor]:
    """The gradients of the last result's sum with respect to x and to every result on the way."""
    raise NotImplementedError
