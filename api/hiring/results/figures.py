"""Computes statistics of a cohort, which is a group of candidates. It uses no database and no clock. Undefined values are None,
never NaN.
"""

import statistics
from collections.abc import Sequence

BINS = 10
# The minimum number of candidates for a correlation. With fewer candidates, a correlation is not meaningful.
LEAST_PEOPLE = 5
# The tolerance when shares are compared. Shares are sums of fractions, so 0.3 may be computed as 0.29999999999999993.
SLACK = 1e-9


def distribution(shares: Sequence[float]) -> list[int]:
    """Return the number of shares in each tenth of the range from 0 to 1. A share of 1 belongs to the last tenth."""
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, int(share * BINS + SLACK))] += 1
    return counts


def mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def median(values: Sequence[float]) -> float | None:
    """Return the middle value, or the mean of the two middle values if their number is even."""
    return statistics.median(values) if values else None


def discrimination(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return the correlation between the candidates' shares for an item and their shares for all other items. This is the
    corrected item-total correlation; for an item that is either solved or not, it is the point-biserial correlation:

        r = Σ (x - x̄)(y - ȳ) / √(Σ (x - x̄)² Σ (y - ȳ)²)

    See F. M. Lord, M. R. Novick, «Statistical Theories of Mental Test Scores», 1968, section 15. The result is None for
    fewer than `LEAST_PEOPLE` candidates, or if all candidates have the same share.
    """
    if len(pairs) < LEAST_PEOPLE:
        return None
    items, rests = zip(*pairs, strict=True)
    if any(max(values) - min(values) < SLACK for values in (items, rests)):
        return None
    return statistics.correlation(items, rests)
