"""A linear layer, and its gradients as formulas."""

from torch import Tensor, nn


class MyLinear(nn.Module):
    """x @ weight.T + bias"""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(*, in_features) -> (*, out_features)"""
        raise NotImplementedError


def linear_backward(x: Tensor, weight: Tensor, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients for x, weight and bias."""
    raise NotImplementedError
