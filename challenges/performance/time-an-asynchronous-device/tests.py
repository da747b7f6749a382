"""Hidden tests: times, median and spread on a device whose clock is under control."""

import pytest
import torch

from grader.testing import check, points, sample

SIZES = [(0, 1), (1, 2), (3, 7), (2, 8), (5, 9)]
IDS = [f"{w}-{r}" for w, r in SIZES]


def close(actual, expected):
    return type(actual) is float and abs(actual - expected) < 1e-6


def check_result(found, times):
    check(
        isinstance(found, dict) and set(found) == {"times", "median", "iqr"}, "the keys are not times, median and iqr"
    )
    check(
        type(found["times"]) is list and len(found["times"]) == len(times), "times is not a list with one entry per run"
    )
    check(all(map(close, found["times"], times)), "a time is not that of its run alone, as a float in seconds")
    levels = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    low, middle, high = torch.quantile(torch.tensor(times, dtype=torch.float64), levels).tolist()
    check(close(found["median"], middle), "the median is off, or no float")
    check(close(found["iqr"], high - low), "the difference of the quartiles is off, or no float")


def schedule(rng, calls):
    """Host times below device times, and one run in the middle that was disturbed."""
    launches = [rng.uniform(0.001, 0.01) for _ in range(calls)]
    work = [rng.uniform(1.0, 2.0) for _ in range(calls)]
    work[calls // 2] += rng.uniform(20.0, 50.0)
    return launches, work


def expected_of(launches, work, warmup):
    return [a + b for a, b in zip(launches[warmup:], work[warmup:], strict=True)]


@sample
@points(1)
def test_work_of_two_seconds(probes):
    """Four runs that launch in 0.001 s and leave 2 s of work take 2.001 s each."""
    result = probes.measured([0.001], [2.0], 0.0, 2, 4)
    check_result(result["found"], [2.001] * 4)


@sample
@points(1)
def test_median_of_four(probes):
    """Runs of 1, 2, 4 and 9 s on the host: median 3, quartiles 1.75 and 5.25."""
    result = probes.immediate([1.0, 2.0, 4.0, 9.0], 0, 4)
    check_result(result["found"], [1.0, 2.0, 4.0, 9.0])


@sample
@points(1)
def test_warmup_is_left_out(probes):
    """A first call of 30 s is not part of the result if there is one warm-up call."""
    result = probes.measured([0.5], [30.0, 1.0, 1.0], 0.0, 1, 2)
    check_result(result["found"], [1.5, 1.5])


@points(3)
@pytest.mark.parametrize(("warmup", "repeats"), SIZES, ids=IDS)
def test_times(probes, rng, warmup, repeats):
    """A time holds less than its own work, or work of other calls: when is the device idle?"""
    launches, work = schedule(rng, warmup + repeats)
    result = probes.measured(launches, work, 0.0, warmup, repeats)
    check_result(result["found"], expected_of(launches, work, warmup))


@points(2)
@pytest.mark.parametrize("warmup", [0, 2])
def test_work_in_the_queue(probes, rng, warmup):
    """The device is still busy with something else when bench is called: that is not part of the first time."""
    launches, work = schedule(rng, warmup + 5)
    queued = rng.uniform(100.0, 200.0)
    result = probes.measured(launches, work, queued, warmup, 5)
    check_result(result["found"], expected_of(launches, work, warmup))


@points(2)
@pytest.mark.parametrize("repeats", [1, 2, 3, 4, 6, 11])
def test_statistics(probes, rng, repeats):
    """Median or quartiles are off for this number of runs, in any order of the times."""
    for _ in range(4):
        times = [rng.uniform(0.5, 9.0) for _ in range(repeats)]
        result = probes.immediate(times, 0, repeats)
        check_result(result["found"], times)


@points(1)
def test_no_synchronize(probes, rng):
    """Without synchronize the host's time is the time of a run."""
    times = [rng.uniform(1.0, 2.0) for _ in range(8)]
    result = probes.immediate(times, warmup=3, repeats=5)
    check_result(result["found"], times[3:])
    check(result["calls"] == 8, "fn was called more or less often than warmup + repeats times")


@points(1)
def test_defaults(probes, rng):
    """By default there are 3 warm-up calls and 10 measured runs, and nothing to synchronize."""
    times = [rng.uniform(1.0, 2.0) for _ in range(13)]
    result = probes.by_default(times)
    check_result(result["found"], times[3:])


@points(1)
@pytest.mark.parametrize(("warmup", "repeats"), SIZES, ids=IDS)
def test_number_of_calls(probes, rng, warmup, repeats):
    """fn is called once for each warm-up and once for each measured run."""
    launches, work = schedule(rng, warmup + repeats)
    result = probes.measured(launches, work, 0.0, warmup=warmup, repeats=repeats)
    check(result["calls"] == warmup + repeats, "fn was called more or less often than warmup + repeats times")


@points(1)
@pytest.mark.parametrize(("warmup", "repeats"), [(-1, 5), (-3, 1), (2, 0), (0, -1)])
def test_refused_numbers(probes, warmup, repeats):
    """A negative warmup, or repeats below 1, raises ValueError before fn is called."""
    result = probes.refused(warmup, repeats)
    check(result["raised"], "no ValueError was raised")
    check(result["calls"] == 0, "fn was called before the numbers were checked")


@points(1)
@pytest.mark.parametrize("at", [1, 3, 5])
def test_errors_of_fn(probes, at):
    """An error that fn raises comes through, in the warm-up and in a measured run."""
    check(probes.failing(at, 2, 3), "the error of fn did not come through")
