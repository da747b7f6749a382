"""How far two honest computations of the same thing may lie apart, by dtype and device.

Reordering a sum of n terms moves it by about lambda * sqrt(n) * u of the terms' scale, u being the unit roundoff
(Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41(5), 2019).
`GROWTH` is lambda * sqrt(n), with n a few thousand; tests/grader/testing/test_tolerance.py measures what it leaves.
"""

from dataclasses import dataclass

import torch

GROWTH = {
    # lambda 4, n 4096; the next precision below (float16, u 2**-11) stays 32 times as coarse as the result 2**-16
    torch.float32: 2.0**8,
    # 2**-37: far from both 2**-53 and float32's 2**-24, so long chains and float32 arithmetic are told apart
    torch.float64: 2.0**16,
    # sums are kept in float32; what counts is a handful of roundings when intermediate results are stored
    torch.float16: 2.0**3,
    torch.bfloat16: 2.0**3,
}
GROWTH_OTHERS = 2.0
"""float8 and the like: one rounding on either side."""

TF32_ROUNDOFF = 2.0**-11
TF32_GROWTH = 2.0**3

COMPLEX_PRODUCT = 5.0**0.5
"""A complex product is off by at most sqrt(5) u (Brent, Percival, Zimmermann, Math. Comp. 76, 2007)."""

SMALLEST_SCALE = 2.0**-8
"""Expected values below this may be mere rounding noise of data of scale 1 (a gradient that is 0 in theory)."""


@dataclass(frozen=True)
class Tolerance:
    """An element may be off by `relative * (|expected| + max(scale of expected, smallest_scale))`."""

    relative: float
    smallest_scale: float = SMALLEST_SCALE

    def absolute(self, magnitude: float) -> float:
        """The part that does not depend on the element; `magnitude` is the scale of the expected values."""
        return self.relative * max(magnitude, self.smallest_scale)


def tolerance(dtype: torch.dtype, device: torch.device | str = "cpu", scale: float = 1.0) -> Tolerance:
    """The tolerance for results of `dtype` computed on `device`; whole numbers and bools are exact.

    On CUDA, float32 products may be taken in TF32 (10 bits of fraction), so half precision cannot be told apart there.
    Raises `ValueError` when `scale` is not a positive number.
    """
    if not 0 < scale < float("inf"):
        raise ValueError("scale must be a positive number: it multiplies the tolerance")
    if not (dtype.is_floating_point or dtype.is_complex):
        return Tolerance(0.0)
    real = dtype.to_real()
    relative = _relative(real, torch.device(device).type) * scale
    return Tolerance(relative * COMPLEX_PRODUCT if dtype.is_complex else relative)


def _relative(real: torch.dtype, device_type: str) -> float:
    if device_type == "cuda" and real is torch.float32:
        return TF32_ROUNDOFF * TF32_GROWTH
    unit_roundoff = torch.finfo(real).eps / 2
    return unit_roundoff * GROWTH.get(real, GROWTH_OTHERS)
