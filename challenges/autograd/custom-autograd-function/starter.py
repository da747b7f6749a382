"""Swish with a hand-written backward."""

import torch
from torch import Tensor


class Swish(torch.autograd.Function):
    """x · sigmoid(beta · x), for two tensors of one floating dtype whose shapes broadcast."""

    @staticmethod
    def forward(ctx, x: Tensor, beta: Tensor) -> Tensor:
        """Return the value, in the broadcast shape of x and beta. Keep what backward needs on ctx."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> tuple[Tensor | None, Tensor | None]:
        """Return the gradients for x and beta, each in the shape of its input; None where none is needed."""
        raise NotImplementedError


def swish(x: Tensor, beta: Tensor | float) -> Tensor:
    """Apply Swish. A Python number as beta means a constant of x's dtype and device."""
    raise NotImplementedError
