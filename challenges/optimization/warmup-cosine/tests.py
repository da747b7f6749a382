"""Hidden tests: warmup_cosine. The rates of every step are compared with the formula."""

import math

import pytest

from grader.testing import assert_close, attested, check, points, sample


def factor(k, warmup, total, min_ratio=0.0):
    """The formula of the statement."""
    if k < warmup:
        return (k + 1) / warmup
    if k >= total:
        return min_ratio
    return min_ratio + (1 - min_ratio) * 0.5 * (1 + math.cos(math.pi * (k - warmup) / (total - warmup)))


def check_trace(outcome, rates, settings, first=0):
    """Rates and what get_last_lr says, step by step from `first` on."""
    for k, (seen, said) in enumerate(zip(outcome["rates"], outcome["said"], strict=True)):
        if k < first:
            continue
        expected = [rate * factor(k, **settings) for rate in rates]
        assert_close(seen, expected, rtol=1e-9, atol=1e-13, name=f"rates in step {k}")
        check(all(type(rate) is float for rate in seen), "every rate must be a Python float")
        assert_close(said, expected, rtol=1e-9, atol=1e-13, name=f"get_last_lr() in step {k}")


@sample
@points(1)
def test_the_climb(probes):
    """Four steps of warm-up at a rate of 1: a quarter, a half, three quarters, one."""
    outcome = probes.trace([1.0], {"warmup": 4, "total": 12}, 4)
    assert_close(outcome["rates"], [[0.25], [0.5], [0.75], [1.0]], rtol=1e-9, name="rates")


@sample
@points(1)
def test_the_way_down(probes):
    """Without warm-up, four steps of cosine from 2 to a floor of one half: the middle lies half-way between them."""
    outcome = probes.trace([2.0], {"warmup": 0, "total": 4, "min_ratio": 0.25}, 5)
    s = 0.75 * math.sqrt(0.5)
    expected = [[2.0], [1.25 + s], [1.25], [1.25 - s], [0.5]]
    assert_close(outcome["rates"], expected, rtol=1e-9, name="rates")


@sample
@points(1)
def test_curve(probes, exhibit):
    """The whole curve, warm-up 10, total 50, floor 0.1: look at where yours leaves the formula."""
    settings = {"warmup": 10, "total": 50, "min_ratio": 0.1}
    outcome = probes.trace([0.3], settings, 60)
    expected = [0.3 * factor(k, **settings) for k in range(60)]
    yours = [step[0] for step in outcome["rates"]]
    if all(type(rate) is float for rate in yours):
        exhibit.curve("rate", {"yours": yours, "formula": expected}, x_label="step", y_label="rate")
    assert_close(yours, expected, rtol=1e-9, name="rates")


@points(2)
@pytest.mark.parametrize("length", ["short", "long"])
def test_random_lengths(probes, rng, length):
    """Some step of the curve is off: check the first and last step of the climb, the seam, the middle and the end."""
    warmup = rng.integer(2, 5) if length == "short" else rng.integer(10, 15)
    total = warmup + (rng.integer(2, 6) if length == "short" else rng.integer(30, 40))
    settings = {"warmup": warmup, "total": total, "min_ratio": rng.uniform(0.05, 0.4)}
    rates = [rng.uniform(0.1, 2.0)]
    check_trace(probes.trace(rates, settings, total + 3), rates, settings)


@points(1)
def test_rates_are_set_at_once(probes, rng):
    """Making the schedule already sets the rates of step 0: the first update must not use the full rate."""
    settings, rates = {"warmup": rng.integer(5, 9), "total": 20}, [rng.uniform(0.5, 1.0)]
    check_trace(probes.trace(rates, settings, 1), rates, settings)


@points(2)
def test_no_jump_at_the_seam(probes, rng):
    """Where the climb meets the cosine the rate stays at its peak for two steps; nothing jumps."""
    settings, rates = {"warmup": rng.integer(6, 9), "total": rng.integer(20, 30)}, [rng.uniform(0.5, 1.0)]
    check_trace(probes.trace(rates, settings, settings["warmup"] + 3), rates, settings, settings["warmup"] - 2)


@points(2)
def test_flat_after_the_end(probes, rng):
    """From step `total` on the rate is the floor, for as long as training goes on: a cosine must not rise again."""
    settings = {"warmup": 2, "total": rng.integer(8, 12), "min_ratio": rng.uniform(0.05, 0.3)}
    rates = [rng.uniform(0.5, 1.0)]
    check_trace(probes.trace(rates, settings, 3 * settings["total"]), rates, settings, settings["total"] - 1)


@points(2)
def test_groups_keep_their_proportions(probes, rng):
    """Each group is scaled from its own rate, and its floor is a part of that rate, not a rate."""
    settings = {"warmup": 3, "total": 9, "min_ratio": rng.uniform(0.1, 0.3)}
    rates = [rng.uniform(0.1, 0.2), rng.uniform(1.0, 2.0), rng.uniform(0.001, 0.002)]
    check_trace(probes.trace(rates, settings, 11), rates, settings)


@points(2)
@pytest.mark.parametrize("where", ["in-the-climb", "on-the-cosine", "after-the-end"])
def test_resume(probes, rng, where):
    """A run that was saved and loaded goes on at its step with its rates: nothing may be counted outside the state."""
    settings = {"warmup": 5, "total": 15, "min_ratio": rng.uniform(0.05, 0.3)}
    at = {"in-the-climb": rng.integer(2, 4), "on-the-cosine": rng.integer(7, 13), "after-the-end": 17}[where]
    rates = [rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, 20, [at]), rates, settings)


@points(1)
def test_resume_twice(probes, rng):
    """A run may be resumed more than once: base rates must not be taken from a rate that was already scaled."""
    settings, rates = {"warmup": 4, "total": 12, "min_ratio": 0.2}, [rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, 14, [3, 8]), rates, settings)


@points(1)
def test_no_warm_up(probes, rng):
    """warmup=0 starts at the top of the cosine, without dividing by zero."""
    settings, rates = {"warmup": 0, "total": rng.integer(5, 9), "min_ratio": 0.1}, [rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, 11), rates, settings)


@points(1)
def test_nothing_but_warm_up(probes, rng):
    """warmup=total: after the climb comes the floor, without dividing by zero."""
    length = rng.integer(3, 6)
    settings = {"warmup": length, "total": length, "min_ratio": rng.uniform(0.1, 0.5)}
    rates = [rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, length + 3), rates, settings)


@points(1)
@pytest.mark.parametrize("warmup", [0, 1], ids=["top", "climb"])
def test_a_single_step(probes, rng, warmup):
    """total=1 is the shortest schedule there is: one step at the full rate, then the floor."""
    settings, rates = {"warmup": warmup, "total": 1, "min_ratio": rng.uniform(0.1, 0.5)}, [rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, 4), rates, settings)


@points(1)
@pytest.mark.parametrize("min_ratio", [0.0, 1.0], ids=["zero", "one"])
def test_extreme_floors(probes, rng, min_ratio):
    """A floor of 0 ends at a rate of 0, a floor of 1 leaves the rate at its peak after the climb."""
    settings, rates = {"warmup": 3, "total": 8, "min_ratio": min_ratio}, [rng.uniform(0.1, 1.0)]
    check_trace(probes.trace(rates, settings, 10), rates, settings)


@points(1)
def test_rates_reach_the_parameters(probes, rng):
    """The parameters must have moved by the rates of the formula: one rate for each optimizer step."""
    settings, rate = {"warmup": 3, "total": 10, "min_ratio": 0.1}, rng.uniform(0.1, 1.0)
    expected = rate * sum(factor(k, **settings) for k in range(8))
    assert_close(probes.moved(rate, settings, 8), expected, rtol=1e-9, name="sum of the rates used")


@points(1)
@pytest.mark.parametrize(
    ("name", "options"),
    [("SGD", {"momentum": 0.8, "nesterov": True}), ("AdamW", {"betas": (0.8, 0.95), "weight_decay": 0.2})],
    ids=["SGD", "AdamW"],
)
def test_only_the_rate_changes(probes, name, options):
    """Momentum, betas and the other options are no business of this schedule."""
    before, after = probes.other_options(name, options, {"warmup": 3, "total": 9}, 6)
    assert_close(after, before, name="options other than lr")


@attested
@points(1)
def test_no_warnings(probes):
    """Used as the documentation of torch asks (optimizer first), the schedule must not cause a warning."""
    check(probes.warnings_of({"warmup": 2, "total": 6}, 8) == [], "a warning was issued")


REFUSED = {
    "negative-warm-up": {"warmup": -1, "total": 10},
    "warm-up-beyond-total": {"warmup": 11, "total": 10},
    "nothing-to-do": {"warmup": 0, "total": 0},
    "negative-floor": {"warmup": 1, "total": 10, "min_ratio": -0.1},
    "floor-above-one": {"warmup": 1, "total": 10, "min_ratio": 1.5},
}


@points(1)
@pytest.mark.parametrize("settings", REFUSED.values(), ids=REFUSED.keys())
def test_settings_out_of_range(probes, settings):
    """Lengths and floors out of range raise ValueError when the schedule is made, before any rate is touched."""
    outcome = probes.refused(settings)
    check(outcome["refused"], "settings out of range must raise ValueError")
    check(outcome["rates"] == [0.5], "the rate was changed although the settings were refused")
