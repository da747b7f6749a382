"""Hidden tests: the rates after each step, against torch's ReduceLROnPlateau."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

NAN = math.nan


def by_torch(metrics, options, rates, by_hand=None, dtype=None):
    """The rates of torch's scheduler, before the first and after each step."""
    groups = [{"params": [torch.nn.Parameter(torch.ones(1))], "lr": rate} for rate in rates]
    optimizer = torch.optim.SGD(groups, lr=1.0)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, threshold_mode="rel", eps=0.0, **options)
    seen = [[group["lr"] for group in optimizer.param_groups]]
    for k, metric in enumerate(metrics):
        if k == by_hand:
            for group in optimizer.param_groups:
                group["lr"] *= 3
        schedule.step(metric if dtype is None else torch.tensor(metric, dtype=dtype).item())
        seen.append([group["lr"] for group in optimizer.param_groups])
    return seen


def compare(probes, metrics, options, rates, **more):
    outcome = probes.replay(metrics, options, rates, more)
    expected = by_torch(metrics, options, rates, more.get("by_hand"), more.get("dtype"))
    for k, (seen, right) in enumerate(zip(outcome["rates"], expected, strict=True)):
        assert_close(seen, right, rtol=1e-9, atol=0.0, name=f"rates after step {k}")
        check(all(type(rate) is float for rate in seen), "every rate must be a Python float")
        assert_close(outcome["said"][k], right, rtol=1e-9, atol=0.0, name=f"get_last_lr() after step {k}")
    check(all(value is None for value in outcome["returned"]), "step returns nothing")
    return outcome


def walk(rng, count, levels=4):
    """A metric that falls now and then, and often stays on one of a few levels."""
    level, metrics = 1.0, []
    for _ in range(count):
        if rng.integer(0, 5) == 0:
            level *= rng.uniform(0.5, 0.999)
        metrics.append(level * (1 + 0.25 * rng.integer(0, levels) / levels))
    return metrics


@sample
@points(1)
def test_first_cut(probes):
    """Patience 2 and a flat metric: steps 2, 3 and 4 are bad, and the third of them is one more than the patience."""
    rates = probes.replay([1.0] * 5, {"patience": 2, "factor": 0.5}, [1.0])["rates"]
    assert_close(rates, [[1.0], [1.0], [1.0], [1.0], [0.5], [0.5]], name="rates before and after each of five steps")


@sample
@points(1)
def test_cooldown(probes):
    """Patience 0 and cooldown 2: after a cut two bad steps are not counted, and the third makes the next cut."""
    options = {"patience": 0, "cooldown": 2, "factor": 0.5}
    rates = [step[0] for step in probes.replay([1.0] * 7, options, [1.0])["rates"]]
    assert_close(rates, [1.0, 1.0, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25], name="rates before and after each of seven steps")


@sample
@points(1)
def test_accuracy(probes):
    """mode="max": an accuracy that falls or stays is bad."""
    options = {"mode": "max", "patience": 1, "factor": 0.1}
    rates = [step[0] for step in probes.replay([0.5, 0.7, 0.7, 0.6, 0.9], options, [1.0])["rates"]]
    assert_close(rates, [1.0, 1.0, 1.0, 1.0, 0.1, 0.1], name="rates before and after each of five steps")


@points(3)
@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize("cooldown", [0, 3], ids=["no-cooldown", "cooldown"])
def test_random_metrics(probes, rng, mode, cooldown):
    """Five sequences of forty metrics: best, bad steps and cooldown are updated in the order of the statement."""
    for patience in (0, 1, 2, 3, 5):
        metrics = [1 / m if mode == "max" else m for m in walk(rng, 40)]
        options = {"mode": mode, "patience": patience, "cooldown": cooldown, "factor": rng.uniform(0.5, 0.9)}
        compare(probes, metrics, {**options, "min_lr": 1e-3}, [rng.uniform(0.5, 2.0)])


@points(1)
@pytest.mark.parametrize("mode", ["min", "max"])
def test_threshold(probes, rng, mode):
    """Small gains that stay below the threshold are bad, and do not move the best: together they may be a large gain."""
    sign = -1 if mode == "min" else 1
    options = {"mode": mode, "threshold": 0.1, "patience": 2, "factor": 0.5}
    slow = [10 * (1 + sign * 0.04 * k) for k in range(12)]
    compare(probes, slow, options, [1.0])
    tight = [100.0, 100 * (1 + sign * 0.099), 100 * (1 + sign * 0.101), 100.0, 100.0, 100.0]
    compare(probes, tight, {**options, "patience": 0}, [1.0])
    compare(probes, [2.0] * 6, {**options, "threshold": 0.0}, [1.0])


@points(1)
def test_tiny_gains(probes):
    """With threshold=0.0 any gain is an improvement, also one that float32 cannot tell from none."""
    options = {"threshold": 0.0, "patience": 1, "factor": 0.5}
    compare(probes, [1 - 1e-9 * k for k in range(6)], options, [1.0])
    compare(probes, [1 - 1e-9 * k for k in range(6)], options, [1.0], dtype=torch.float64)


@points(1)
def test_threshold_is_relative(probes, rng):
    """The threshold is a part of the best metric: a gain of 0.5 is large for a loss of 1 and small for one of 1000."""
    scale = rng.uniform(1.0, 2.0)
    for size in (0.01, 1.0, 1000.0):
        metrics = [size * scale, (size - 0.05 * size) * scale, (size - 0.3 * size) * scale, size * scale, size * scale]
        compare(probes, metrics, {"threshold": 0.1, "patience": 0, "factor": 0.5}, [1.0])


@points(1)
@pytest.mark.parametrize("mode", ["min", "max"])
def test_negative_metrics(probes, rng, mode):
    """For a negative best the formula of the statement holds as it is written, whatever one thinks of it."""
    options = {"mode": mode, "threshold": 0.15, "patience": 1, "factor": 0.7, "min_lr": 1e-3}
    compare(probes, [-m for m in walk(rng, 20)], options, [1.0])
    ratio = 0.9 if mode == "min" else 1.1
    compare(probes, [-(ratio**k) for k in range(6)], options, [1.0])


@points(1)
def test_previous_is_not_best(probes):
    """A metric that is better than the one before it, but not better than the best, is bad."""
    compare(probes, [1.0, 5.0, 4.0, 3.0, 2.0, 1.5, 0.9, 3.0, 2.0, 1.0], {"patience": 2, "factor": 0.5}, [1.0])


@points(2)
@pytest.mark.parametrize("place", ["first", "middle", "throughout"])
def test_nan(probes, place):
    """NaN is no improvement and never becomes the best: a run of NaN cuts the rate as a flat metric does."""
    metrics = {"first": [NAN, 1.0, 1.0, 1.0], "middle": [1.0, NAN, 0.5, NAN, NAN, 0.5], "throughout": [NAN] * 7}[place]
    compare(probes, metrics, {"patience": 1, "factor": 0.5}, [1.0])
    compare(probes, metrics, {"patience": 1, "factor": 0.5, "mode": "max"}, [1.0])


@points(2)
def test_groups_and_floor(probes, rng):
    """All groups are cut from their own rate, and none falls below min_lr; nothing else of the optimizer changes."""
    rates = [rng.uniform(0.5, 1.0), rng.uniform(0.02, 0.04), rng.uniform(5.0, 9.0)]
    options = {"patience": 0, "factor": 0.3, "min_lr": 0.01}
    outcome = compare(probes, [1.0] * 9, options, rates)
    assert_close(outcome["rest"], probes.untouched_rest(rates), name="options of the optimizer other than lr")


@points(1)
def test_small_rates(probes, rng):
    """A cut is a cut however small the rate is: no change is too small to be made."""
    rates = [rng.uniform(1e-8, 3e-8), rng.uniform(1e-12, 3e-12)]
    compare(probes, [1.0] * 6, {"patience": 0, "factor": 0.5}, rates)


@points(1)
def test_rate_set_by_hand(probes, rng):
    """A cut starts from the rate that the group has at that moment, also when somebody has changed it."""
    compare(probes, [1.0] * 8, {"patience": 1, "factor": 0.5}, [rng.uniform(0.5, 1.0)], by_hand=rng.integer(3, 6))


@points(2)
@pytest.mark.parametrize("restarts", [[2], [5], [3, 4, 9]], ids=["early", "late", "often"])
def test_resume(probes, rng, restarts):
    """A run that is saved and resumed goes on with its best, its bad steps and its cooldown."""
    metrics = [1.0, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 0.85, 0.85, 0.85, 0.85, 0.7, 0.75, 0.75, 0.75, 0.75]
    options = {"patience": 2, "cooldown": 2, "factor": rng.uniform(0.4, 0.6)}
    compare(probes, metrics, options, [1.0, rng.uniform(2.0, 3.0)], restarts=restarts)


@points(1)
def test_resume_an_accuracy(probes):
    """With mode="max" and a cooldown that is running, a resumed schedule must not cut early."""
    metrics = [0.5, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]
    for at in range(1, 8):
        compare(probes, metrics, {"mode": "max", "patience": 0, "cooldown": 3, "factor": 0.5}, [1.0], restarts=[at])


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_metric_in_a_tensor(probes, rng, dtype):
    """The metric may be a tensor that its owner overwrites: keep its value, not the tensor."""
    metrics = [float(torch.tensor(m, dtype=dtype)) for m in (8.0, 4.0, 2.0, *walk(rng, 15))]
    outcome = compare(probes, metrics, {"patience": 1, "factor": 0.5, "min_lr": 1e-3}, [1.0], dtype=dtype)
    check(outcome["kept"], "step has written into the metric tensor")


@points(1)
def test_defaults(probes):
    """Without options: patience 10, factor 0.1, threshold 1e-4, no cooldown, no floor."""
    compare(probes, [1.0] + [0.99995] * 36, {}, [1.0])


@points(1)
def test_two_schedules(probes):
    """Two schedules are independent of each other: their counters belong to the objects."""
    found = probes.two_at_once([[1.0, 1.0, 1.0, 1.0], [4.0, 3.0, 2.0, 1.0]], {"patience": 1, "factor": 0.5})
    assert_close(found, [0.5, 1.0], name="rates")


@points(1)
@pytest.mark.parametrize("options", [{"factor": 1.0}, {"factor": 1.5}, {"mode": "auto"}], ids=["one", "growth", "mode"])
def test_settings_that_are_refused(probes, options):
    """A factor of 1 or more, or another mode, is refused with ValueError when the schedule is made."""
    check(probes.refused(options) == "ValueError", "ValueError expected from the constructor")
