"""Six activations from exp and erf."""

from torch import Tensor


def relu(x: Tensor) -> Tensor:
    raise NotImplementedError


def leaky_relu(x: Tensor, slope: float = 0.01) -> Tensor:
    raise NotImplementedError


def sigmoid(x: Tensor) -> Tensor:
    raise NotImplementedError


def tanh(x: Tensor) -> Tensor:
    raise NotImplementedError


def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    raise NotImplementedError


def silu(x: Tensor) -> Tensor:
    raise NotImplementedError
