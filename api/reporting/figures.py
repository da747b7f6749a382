"""Figures of a cohort, as plain arithmetic: nothing here reads a table or a clock. What cannot be said is None, never NaN."""

import statistics
from collections.abc import Sequence

BINS = 10
# Of fewer people a correlation says nothing.
LEAST_PEOPLE = 5
# Shares are sums of fractions: 0.3 may come as 0.29999999999999993.
SLACK = 1e-9


def distribution(shares: Sequence[float]) -> list[int]:
    """How many shares (0 to 1) lie in each tenth; a full share belongs to the last one."""
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, int(share * BINS + SLACK))] += 1
    return counts


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean."""
    return statistics.fmean(values) if values else None


def median(values: Sequence[float]) -> float | None:
    """The middle value; of an even number the mean of the two in the middle."""
    return statistics.median(values) if values else None


def discrimination(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The correlation of what an item came to with what the rest came to, person by person (the corrected item-total
    correlation; the point-biserial one where an item is either solved or not):

        r = Σ (x - x̄)(y - ȳ) / √(Σ (x - x̄)² Σ (y - ȳ)²)

    See F. M. Lord, M. R. Novick, «Statistical Theories of Mental Test Scores», 1968, section 15. None for fewer than
    `LEAST_PEOPLE`, or if everybody has the same.
    """
    if len(pairs) < LEAST_PEOPLE:
        return None
    items, rests = zip(*pairs, strict=True)
    if any(max(values) - min(values) < SLACK for values in (items, rests)):
        return None
    return statistics.correlation(items, rests)
