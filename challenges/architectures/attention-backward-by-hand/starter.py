"""Attention, and its gradients by hand."""

from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """(..., T, d), (..., S, d), (..., S, m) -> (..., T, m); True in the mask means: may attend."""
    raise NotImplementedError


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, grad: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of q, k and v, given the gradient (..., T, m) of the output."""
    raise NotImplementedError
