"""Compares two tensors of the same shape element by element, in float64 or complex128. Used by closeness.py and exhibits.py."""

from dataclasses import dataclass

import torch
from torch import Tensor

OUTLIER = 64.0
"""The scale of a tensor is at most this many medians, so that one -1e9 of a mask excuses nothing."""


@dataclass(frozen=True)
class Difference:
    """The result of `difference`. All fields except `scale` have the shape of the tensors that were compared.

    `error` is |actual - expected|. It is 0 where both are the same, and infinite where they differ and at least one of them is
    not finite. `magnitude` is |expected|. `broken` is true where actual is not finite and differs from expected. `missing` is
    true where actual is finite but expected is not.

    `scale` is the scale of the expected values: the largest finite |expected|, but at most OUTLIER times the median of all
    finite |expected| above 0. The limit keeps a few outliers from making the tolerance of all elements large.
    """

    error: Tensor
    magnitude: Tensor
    broken: Tensor
    missing: Tensor
    scale: float


def dense(tensor: Tensor) -> Tensor:
    """Return the tensor detached from its graph, on the CPU, and in the strided layout. Carries out conjugations and negations
    that torch has postponed.
    """
    plain = tensor.detach().cpu()
    plain = plain if plain.layout is torch.strided else plain.to_dense()
    return plain.resolve_conj().resolve_neg()


def wide(tensor: Tensor) -> Tensor:
    """Return the result of `dense`, converted to complex128 if the tensor is complex, otherwise to float64. This includes bools
    and integers.
    """
    return dense(tensor).to(torch.complex128 if tensor.dtype.is_complex else torch.float64)


def difference(actual: Tensor, expected: Tensor, *, equal_nan: bool = False) -> Difference:
    """Compare two tensors of the same shape. Both must have been converted by `wide`."""
    same = actual == expected
    if equal_nan:
        same = same | (actual.isnan() & expected.isnan())
    finite, expected_finite = actual.isfinite(), expected.isfinite()
    error = torch.where(finite & expected_finite, (actual - expected).abs(), torch.inf)
    magnitude = expected.abs()
    return Difference(
        error=error.masked_fill(same, 0.0),
        magnitude=magnitude,
        broken=~finite & ~same,
        missing=finite & ~expected_finite,
        scale=_scale(magnitude[expected_finite]),
    )


def _scale(magnitude: Tensor) -> float:
    positive = magnitude[magnitude > 0]
    if positive.numel() == 0:
        return 0.0
    return min(float(positive.max()), OUTLIER * float(positive.median()))


def index_of(flat: int, shape: torch.Size) -> list[int]:
    """Return the index of element number `flat` (in row-major order) in a tensor of `shape`."""
    index = []
    for size in reversed(shape):
        flat, position = divmod(flat, size)
        index.append(position)
    return index[::-1]


def identical(first: Tensor, second: Tensor) -> bool:
    """Return whether dtype, shape and bits of two tensors are equal. NaN equals a NaN with the same bits, and 0.0 differs from
    -0.0.
    """
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    return bool(torch.equal(_bits(first), _bits(second)))


def _bits(tensor: Tensor) -> Tensor:
    return dense(tensor).contiguous().reshape(-1).view(torch.uint8)
