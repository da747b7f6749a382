"""Checks the trimmed mean, its standard error and the quantiles of Student's t."""

import math
import random
import statistics

import pytest

from grader.judging.measuring.estimate import Estimate, estimate, student_quantile


# From table 26.10 of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964.
@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)]
)
def test_quantiles_are_those_of_the_table(degrees: float, quantile: float) -> None:
    assert student_quantile(0.975, degrees) == pytest.approx(quantile, abs=6e-4)


def test_few_values_are_not_trimmed() -> None:
    values = [0.1, 0.2, 0.4]
    found = estimate(values)
    assert found.log_ratio == pytest.approx(statistics.mean(values))
    assert found.std_error == pytest.approx(statistics.stdev(values) / math.sqrt(3))
    assert found.degrees == 2


def test_the_error_of_a_trimmed_mean_follows_from_the_winsorised_variance() -> None:
    values = [5.0, 1.0, 2.0, 3.0, 4.0]
    found = estimate(values)
    winsorised = statistics.stdev([2, 2, 3, 4, 4])
    assert found.log_ratio == 3
    assert found.std_error == pytest.approx(winsorised / (0.6 * math.sqrt(5)))
    assert found.degrees == 2


def test_few_pairs_have_a_wide_interval() -> None:
    """Student's t reaches 19.2 standard errors with 2 degrees of freedom where a normal distribution reaches 3."""
    assert Estimate(0.0, 0.01, 2.0).normal_error == pytest.approx(0.0641, rel=0.01)
    assert Estimate(0.0, 0.01, 1e6).normal_error == pytest.approx(0.01, rel=1e-4)


def test_a_disturbed_pair_changes_nothing() -> None:
    quiet = [0.30, 0.31, 0.29, 0.30, 0.32, 0.28, 0.31, 0.29, 0.30, 0.30]
    disturbed = [*quiet[:-1], 5.0]
    assert abs(estimate(disturbed).log_ratio - estimate(quiet).log_ratio) < 0.005


def test_equal_values_are_known_exactly() -> None:
    assert estimate([0.5] * 10).half_width == 0


def test_too_few_values_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3"):
        estimate([0.1, 0.2])


def test_the_interval_contains_the_true_value_as_often_as_it_says() -> None:
    draw = random.Random(5)
    inside = 0
    for _ in range(600):
        found = estimate([draw.gauss(0.2, 0.1) for _ in range(15)])
        reach = student_quantile(0.975, found.degrees) * found.std_error
        inside += abs(found.log_ratio - 0.2) <= reach
    assert 0.92 <= inside / 600 <= 0.98
