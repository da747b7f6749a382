"""Tests the rule that turns measurements into intervals and ranks."""

import math
import random

import pytest

from grader.contract.ranking import LEAST_NOISE, Interval, interval, noise_floor, ranks


def test_an_interval_reaches_three_deviations_to_both_sides() -> None:
    found = interval(math.log(2), std_error=0.03, noise=0.04)
    assert found.ratio == pytest.approx(2)
    assert found.low == pytest.approx(2 * math.exp(-0.15))
    assert found.high == pytest.approx(2 * math.exp(0.15))


def test_no_board_counts_as_quieter_than_one_percent() -> None:
    assert interval(0.0, 0.0, noise=0.0) == interval(0.0, 0.0, noise=LEAST_NOISE)
    assert interval(0.0, 0.0).high == pytest.approx(math.exp(0.03))


@pytest.mark.parametrize(
    ("log_ratio", "std_error", "noise"),
    [(math.nan, 0.1, 0.1), (math.inf, 0.1, 0.1), (0.0, math.nan, 0.1), (0.0, -0.1, 0.1), (0.0, 0.1, math.nan)],
)
def test_values_that_are_no_measurement_are_refused(log_ratio: float, std_error: float, noise: float) -> None:
    with pytest.raises(ValueError, match="no interval"):
        interval(log_ratio, std_error, noise)


def test_a_ratio_too_large_for_a_float_does_not_fail() -> None:
    assert interval(1e6, 1.0).high < math.inf


def test_entries_whose_intervals_overlap_are_not_told_apart() -> None:
    fast, between, slow = Interval(1.9, 2.0, 2.1), Interval(1.5, 1.7, 1.95), Interval(1.0, 1.1, 1.2)
    assert ranks([slow, between, fast]) == [3, 1, 1]


def test_the_rank_counts_the_entries_that_lie_wholly_above() -> None:
    found = [Interval(low, low + 0.05, low + 0.1) for low in (1.0, 1.2, 1.4, 1.4)]
    assert ranks(found) == [4, 3, 1, 1]


def test_intervals_that_touch_overlap() -> None:
    assert ranks([Interval(1.0, 1.1, 1.2), Interval(1.2, 1.3, 1.4)]) == [1, 1]


def test_an_empty_board_has_no_ranks() -> None:
    assert ranks([]) == []


def test_ranks_agree_with_the_definition() -> None:
    draw = random.Random(7)
    found = [interval(draw.gauss(0, 0.2), draw.uniform(0, 0.03)) for _ in range(200)]
    assert ranks(found) == [1 + sum(other.low > each.high for other in found) for each in found]


def test_equal_entries_of_a_whole_board_are_rarely_told_apart() -> None:
    draw = random.Random(1)
    boards = [[interval(draw.gauss(0, 0.02), 0.0, noise=0.02) for _ in range(60)] for _ in range(400)]
    assert sum(max(ranks(board)) > 1 for board in boards) <= 0.05 * len(boards)


def test_the_noise_floor_is_the_deviation_between_measurements() -> None:
    assert noise_floor([0.0, 0.1]) == pytest.approx(0.1 / math.sqrt(2))
    assert noise_floor([0.5]) == noise_floor([]) == noise_floor([0.1, 0.1, 0.1]) == LEAST_NOISE
