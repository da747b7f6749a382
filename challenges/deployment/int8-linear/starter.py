"""Numbers as int8, and a linear layer that computes with them."""

from torch import Tensor, nn


def quantize(x: Tensor, bits: int = 8, symmetric: bool = True) -> tuple[Tensor, Tensor, int]:
    """Return (q, scale, zero_point): int8 levels, a 0-d scale in the dtype of x, and a Python int."""
    raise NotImplementedError


def dequantize(q: Tensor, scale: Tensor, zero_point: int) -> Tensor:
    """Return the numbers that the levels stand for, in the dtype of the scale."""
    raise NotImplementedError


class Int8Linear(nn.Module):
    """A linear layer for serving: weights in int8 per output channel, inputs quantised per token as they come."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(…, in) to (…, out)."""
        raise NotImplementedError
