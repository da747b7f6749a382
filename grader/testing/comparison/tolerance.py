"""Defines how much two correct computations of the same result may differ, by dtype and device.

Reordering a sum of n terms changes the sum by about lambda * sqrt(n) * u, relative to the scale of the terms. Here, u is the
unit roundoff, and lambda is a small constant (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM
J. Sci. Comput. 41(5), 2019). The tolerance of a dtype is `GROWTH` * u. For float32, `GROWTH` is lambda * sqrt(n) with n a few
thousand; the comments below explain the other values. tests/grader/testing/test_tolerance.py measures how much margin they
leave.
"""

from dataclasses import dataclass
from functools import cache

import torch

GROWTH = {
    # lambda = 4 and n = 4096. The tolerance is 2**-16. The unit roundoff of the next lower precision (float16) is 2**-11, which
    # is 32 times larger, so a computation in float16 is rejected.
    torch.float32: 2.0**8,
    # The tolerance is 2**-37. It is much larger than the unit roundoff of float64 (2**-53), so long chains of operations pass.
    # It is much smaller than that of float32 (2**-24), so float32 arithmetic fails.
    torch.float64: 2.0**16,
    # torch accumulates sums of float16 and bfloat16 in float32. So n does not matter: only the few roundings of stored
    # intermediate results count.
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


_share = [1.0]


def set_tolerance_share(share: float) -> None:
    """Multiply every tolerance of this process by `share`. The judge calls this once per judging.

    The authoring gate judges right answers with a share below 1, to find tests that leave them too little room.
    """
    _share[0] = share


def tolerance_share() -> float:
    """Return the number by which all tolerances of this judging are multiplied. It is 1 for every submission."""
    return _share[0]


@dataclass(frozen=True)
class Tolerance:
    """The tolerance for a result. An element may differ by `relative * (|expected| + max(scale, smallest_scale))`. Here,
    `scale` is the scale of the expected values, which is defined in `Difference`.
    """

    relative: float
    smallest_scale: float = SMALLEST_SCALE

    def absolute(self, magnitude: float) -> float:
        """Return the part of the tolerance that is equal for all elements. `magnitude` is the `scale` in the formula above."""
        return self.relative * max(magnitude, self.smallest_scale)


@cache
def tolerance(dtype: torch.dtype, device: torch.device | str = "cpu", scale: float = 1.0) -> Tolerance:
    """Return the tolerance for results of `dtype` computed on `device`. It is 0 for integers and bools.

    On CUDA, float32 products may be computed in TF32, whose fraction has only 10 bits. So on CUDA the tolerance for float32 is
    larger, and results that were computed in half precision pass too. `scale` multiplies the tolerance. Raises `ValueError` if
    `scale` is not a positive number.
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
