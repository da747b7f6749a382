"""Four-bit weights in groups."""

from torch import Tensor


def quantize(weight: Tensor, group: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the packed levels (O, ceil(I / 2)), and scale and zero point of each group, (O, G), of a weight (O, I)."""
    raise NotImplementedError


def dequantize(packed: Tensor, scale: Tensor, zero: Tensor, group: int, width: int) -> Tensor:
    """Return the weight (O, width) that the levels stand for."""
    raise NotImplementedError


def quantized_linear(
    x: Tensor, packed: Tensor, scale: Tensor, zero: Tensor, group: int, bias: Tensor | None = None
) -> Tensor:
    """Return x times the transposed weight, plus bias: (..., I) to (..., O)."""
    raise NotImplementedError
