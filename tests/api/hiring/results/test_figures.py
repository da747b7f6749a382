"""Tests the statistics of a group of candidates (a cohort) against numpy and against values calculated by hand. A statistic is
never NaN.
"""

import math
import random

import numpy as np
import pytest

from api.hiring.results import figures


def test_discrimination_is_the_correlation_with_the_rest() -> None:
    dice = random.Random(7)
    for people in (5, 12, 300):
        pairs = [(dice.random(), dice.random()) for _ in range(people)]
        wanted = np.corrcoef([one for one, _ in pairs], [rest for _, rest in pairs])[0, 1]
        assert figures.discrimination(pairs) == pytest.approx(wanted, abs=1e-12)


def test_discrimination_of_an_item_that_is_solved_or_not_is_point_biserial() -> None:
    # The expected value is calculated by hand. A candidate's rest is the share of the points for all other items. Its mean is
    # 0.8 for those who solved the item and 0.3 for the others, its standard deviation is 0.26300…, and half of the candidates
    # solved the item.
    pairs = [(1.0, 0.7), (1.0, 0.9), (0.0, 0.2), (0.0, 0.4), (1.0, 0.8), (0.0, 0.3)]
    rests = [rest for _, rest in pairs]
    by_hand = (0.8 - 0.3) / float(np.std(rests)) * math.sqrt(0.5 * 0.5)
    assert figures.discrimination(pairs) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [(0.0, 1.0), (1.0, 0.0), (0.5, 0.5), (0.2, 0.1)],
        [(1.0, n / 10) for n in range(10)],
        [(n / 10, 0.1 + 0.2 - 0.3 + 0.5) for n in range(10)],
        [(0.3, n / 10) if n % 2 else (0.1 * 3, n / 10) for n in range(10)],
    ],
    ids=["nobody", "four people", "all solved it", "the rest is alike", "alike but for rounding"],
)
def test_discrimination_is_not_said_where_it_says_nothing(pairs: list[tuple[float, float]]) -> None:
    assert figures.discrimination(pairs) is None


def test_distribution_counts_tenths_and_a_full_score_is_in_the_last_one() -> None:
    assert figures.distribution([]) == [0] * 10
    assert figures.distribution([0.0, 0.0999, 0.1, 0.3, 0.1 * 3, 0.7 - 0.4, 0.999, 1.0]) == [
        2,
        1,
        0,
        3,
        0,
        0,
        0,
        0,
        0,
        2,
    ]


def test_middles() -> None:
    assert (figures.mean([]), figures.median([])) == (None, None)
    assert (figures.mean([1, 2, 6]), figures.median([1, 2, 6]), figures.median([1, 2, 4, 9])) == (3, 2, 3)
