"""Four-bit and eight-bit floats whose blocks share a scale."""

from torch import Tensor


def fp4_codes(x: Tensor) -> Tensor:
    """Return the code, 0 to 15, of the four-bit float that is nearest to each number of x."""
    raise NotImplementedError


def mx_quantize(x: Tensor, kind: str, block: int = 32) -> tuple[Tensor, Tensor]:
    """Return the elements, of the shape of x, and the stored exponent of each block: MXFP4 or MXFP8."""
    raise NotImplementedError


def nv_quantize(x: Tensor, block: int = 16) -> tuple[Tensor, Tensor, Tensor]:
    """Return the codes, of the shape of x, the scale of each block, and the scale of the whole tensor: NVFP4."""
    raise NotImplementedError


def dequantize(codes: Tensor, scales: Tensor, overall: Tensor | None = None) -> Tensor:
    """Return the float32 numbers that the elements and their scales stand for."""
    raise NotImplementedError


def block_matmul(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Tensor:
    """Return the product of a (M, K) with the transpose of b (N, K), both quantised."""
    raise NotImplementedError
