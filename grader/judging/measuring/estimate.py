"""Estimates the ratio of two times from pairs of measurements, robustly: a pair that something disturbed has little influence.

The estimate is the trimmed mean, which leaves out the smallest and the largest fifth of the values. Its standard error follows
from the winsorised variance (K. K. Yuen, "The two-sample trimmed t for unequal population variances", Biometrika 61, 1974;
J. W. Tukey and D. H. McLaughlin, "Less vulnerable confidence and significance procedures", Sankhya A 25, 1963).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance

from grader.contract.ranking import DEVIATIONS

TRIMMED = 0.2
# A standard error needs at least this many values.
LEAST_VALUES = 3
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """The trimmed mean of logarithms of ratios, its standard error, and the degrees of freedom of that."""

    log_ratio: float
    std_error: float
    degrees: float

    @property
    def half_width(self) -> float:
        """The half-width of the 95 % interval of the ratio: 0.05 for ±5 %."""
        reach = student_quantile(1 - (1 - CONFIDENCE) / 2, self.degrees) * self.std_error
        return math.expm1(min(reach, 700.0))

    @property
    def normal_error(self) -> float:
        """The standard error that a normal distribution would need to reach as far as Student's t does at DEVIATIONS. Intervals
        of entries count in these (see `grader.contract.ranking`), so an answer with few pairs gets a wide one.
        """
        within = NormalDist().cdf(DEVIATIONS)
        return self.std_error * student_quantile(within, self.degrees) / DEVIATIONS


def estimate(values: Sequence[float]) -> Estimate:
    """Estimate the mean of `values`, of which there must be at least LEAST_VALUES."""
    if len(values) < LEAST_VALUES:
        raise ValueError(f"{len(values)} values; an estimate needs at least {LEAST_VALUES}")
    ascending = sorted(values)
    count = len(ascending)
    cut = int(TRIMMED * count)
    inner = ascending[cut : count - cut]
    winsorised = [inner[0]] * cut + inner + [inner[-1]] * cut
    # The share that is trimmed is an exact multiple of 1 / count, so cut / count replaces TRIMMED.
    std_error = math.sqrt(variance(winsorised) / count) / (1 - 2 * cut / count)
    return Estimate(fmean(inner), std_error, len(inner) - 1.0)


def student_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution. `probability` must lie between 0.5 and 1.

    Bisects the distribution function, which is accurate to 1e-9.
    """
    low, high = 0.0, 1.0
    while _student_cdf(high, degrees) < probability:
        low, high = high, 2 * high
    while high - low > 1e-9 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _student_cdf(t: float, degrees: float) -> float:
    """Integrate the density of Student's t from 0 to t >= 0 with Simpson's rule, after the substitution x = sqrt(degrees) *
    tan(u), which makes the interval finite and the integrand cos(u) ** (degrees - 1).
    """
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    end, steps = math.atan(t / math.sqrt(degrees)), 200
    values = [math.cos(end * n / steps) ** (degrees - 1) for n in range(steps + 1)]
    inside = 4 * math.fsum(values[1:-1:2]) + 2 * math.fsum(values[2:-1:2])
    return 0.5 + scale * end / steps / 3 * float(values[0] + inside + values[-1])
