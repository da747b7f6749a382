"""Computes intervals and ranks from measurements. The service, the command line and the benchmarks share this rule.

The true value of an entry lies within its interval. An entry ranks behind another only if its whole interval lies below that
of the other one. Entries whose intervals overlap are not told apart, so they can share a rank.

Two sources of error count: the standard error of the measurement, and the board's noise floor. The noise floor is the standard
deviation between repeated measurements of one answer, which no single measurement can see: for example, where the memory of a
process happens to lie. Nothing here imports torch or a web framework.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence

import msgspec

# An interval reaches this many standard deviations to both sides. Two equal entries are then told apart with a probability of
# about 2e-5: the difference has to exceed 6 standard deviations, which is 6 / sqrt(2) = 4.2 of its own. For all pairs of a
# board of 60 entries together, the probability is at most 5 %.
DEVIATIONS = 3.0
# No board counts as quieter than this. 0.01 is 1 % of the ratio.
LEAST_NOISE = 0.01


class Interval(msgspec.Struct, frozen=True):
    """The ratio baseline / answer, and the least and the greatest ratio that agree with the measurement."""

    low: float
    ratio: float
    high: float


def interval(log_ratio: float, std_error: float, noise: float = LEAST_NOISE) -> Interval:
    """Return the interval of an entry. `log_ratio` and `std_error` are those of its `Measurement`, and `noise` is the noise
    floor of its board.

    Raises ValueError if one of them is not finite, or if the standard error is negative.
    """
    if not (math.isfinite(log_ratio) and math.isfinite(noise) and 0 <= std_error < math.inf):
        raise ValueError(f"no interval of log_ratio {log_ratio}, std_error {std_error} and noise {noise}")
    reach = DEVIATIONS * math.hypot(std_error, max(noise, LEAST_NOISE))
    low, ratio, high = (math.exp(min(value, 700.0)) for value in (log_ratio - reach, log_ratio, log_ratio + reach))
    return Interval(low, ratio, high)


def ranks(intervals: Sequence[Interval]) -> list[int]:
    """Return the rank of each entry: 1 + the number of entries whose whole interval lies above that of this entry."""
    lows = sorted(each.low for each in intervals)
    return [1 + len(lows) - bisect_right(lows, each.high) for each in intervals]


def noise_floor(log_ratios: Sequence[float]) -> float:
    """Return the noise floor, from the logarithms of the ratios that repeated measurements of one answer found. At least
    LEAST_NOISE, also if there are fewer than two measurements.

    The standard errors of these measurements are a part of it, so intervals contain such an error twice. That makes them up to
    40 % wider than necessary. It is not subtracted, because a board's few measurements cannot tell the two apart: the
    difference would often be zero by chance.
    """
    if len(log_ratios) < 2:
        return LEAST_NOISE
    mean = math.fsum(log_ratios) / len(log_ratios)
    variance = math.fsum((each - mean) ** 2 for each in log_ratios) / (len(log_ratios) - 1)
    return max(LEAST_NOISE, math.sqrt(variance))
