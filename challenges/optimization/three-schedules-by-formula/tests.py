"""Hidden tests: traces of a hundred epochs against torch's schedulers, and a loop whose rates a hook notes."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

EPOCHS = list(range(100))


def by_torch(kind, base_lr, options):
    """The rates of torch's scheduler in epochs 0 to 99."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=base_lr)
    schedule = getattr(torch.optim.lr_scheduler, kind)(optimizer, **options)
    rates = []
    for _ in EPOCHS:
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return rates


def compare(probes, name, kind, base_lr, **options):
    rates, floats = probes.trace(name, base_lr, EPOCHS, options)
    check(floats, f"{name} must return a Python float")
    for epoch, (rate, expected) in enumerate(zip(rates, by_torch(kind, base_lr, options), strict=True)):
        assert_close(rate, expected, rtol=1e-11, atol=0.0, name=f"{name} in epoch {epoch}")


@sample
@points(1)
def test_step_size_three(solution):
    """step_size=3: epochs 0 to 2 have the base rate, epoch 3 is the first with a tenth of it."""
    rates = [solution.step_lr(0.5, epoch, 3) for epoch in (0, 2, 3, 5, 6)]
    assert_close(rates, [0.5, 0.5, 0.05, 0.05, 0.005], rtol=1e-11, name="rates of epochs 0, 2, 3, 5, 6")


@sample
@points(1)
def test_two_milestones(solution):
    """Milestones 2 and 4, gamma 0.5: the rate is halved in epoch 2 and again in epoch 4."""
    rates = [solution.multistep_lr(8.0, epoch, [2, 4], 0.5) for epoch in range(6)]
    assert_close(rates, [8.0, 8.0, 4.0, 4.0, 2.0, 2.0], rtol=1e-11, name="rates of epochs 0 to 5")


@sample
@points(1)
def test_three_epochs_of_training(probes):
    """A loop of three epochs under ExponentialLR(gamma=0.5): the epochs use 1, 0.5 and 0.25."""
    outcome = probes.train([1.0], "ExponentialLR", {"gamma": 0.5}, 3, 2)
    assert_close(outcome["returned"], [1.0, 0.5, 0.25], name="returned rates")
    assert_close(outcome["used"], [1.0, 1.0, 0.5, 0.5, 0.25, 0.25], name="rates that the optimizer used")


@points(2)
@pytest.mark.parametrize("size", ["one", "small", "large"])
def test_step_lr(probes, rng, size):
    """step_lr differs from StepLR in some epoch: look at the last epoch of a block and the first of the next."""
    step_size = {"one": 1, "small": rng.integer(2, 8), "large": rng.integer(30, 60)}[size]
    options = {"step_size": step_size, "gamma": rng.uniform(0.5, 0.9)}
    compare(probes, "step_lr", "StepLR", rng.uniform(0.01, 2.0), **options)


@points(2)
@pytest.mark.parametrize("order", ["ascending", "mixed"])
def test_multistep_lr(probes, rng, order):
    """multistep_lr differs from MultiStepLR: count the milestones up to and including the epoch, in whatever order."""
    milestones = [rng.integer(2, 20), rng.integer(20, 40), rng.integer(40, 60), rng.integer(60, 90)]
    if order == "mixed":
        milestones = [milestones[2], milestones[0], milestones[3], milestones[1]]
    options = {"milestones": milestones, "gamma": rng.uniform(0.2, 0.9)}
    compare(probes, "multistep_lr", "MultiStepLR", rng.uniform(0.01, 2.0), **options)


@points(1)
def test_milestones_at_the_edges(probes, rng):
    """Without milestones nothing is cut; a milestone at 0 already counts in epoch 0; one that occurs twice counts twice."""
    base_lr, k = rng.uniform(0.01, 2.0), rng.integer(3, 9)
    compare(probes, "multistep_lr", "MultiStepLR", base_lr, milestones=[], gamma=0.3)
    compare(probes, "multistep_lr", "MultiStepLR", base_lr, milestones=[k + 5, k, k], gamma=0.3)
    rates, _ = probes.trace("multistep_lr", base_lr, [0, k - 1, k], {"milestones": [k, 0], "gamma": 0.5})
    assert_close(rates, [base_lr / 2, base_lr / 2, base_lr / 4], rtol=1e-11, name="rates with a milestone at 0")


@points(2)
@pytest.mark.parametrize("growth", ["falls", "grows"])
def test_exp_lr(probes, rng, growth):
    """exp_lr differs from ExponentialLR: one factor for each epoch that lies behind, none in epoch 0."""
    gamma = rng.uniform(0.6, 0.97) if growth == "falls" else rng.uniform(1.01, 1.1)
    compare(probes, "exp_lr", "ExponentialLR", rng.uniform(0.01, 2.0), gamma=gamma)


@points(1)
def test_default_gamma(probes, rng):
    """step_lr and multistep_lr cut to a tenth if no gamma is given; whole numbers give floats, too."""
    base_lr = rng.integer(2, 9)
    for name, options in (("step_lr", {"step_size": 4}), ("multistep_lr", {"milestones": [8, 4]})):
        rates, floats = probes.trace(name, base_lr, [4, 8, 9], options)
        check(floats, f"{name} must return a Python float")
        expected = [base_lr * 0.1, base_lr * 0.1**2, base_lr * 0.1**2]
        assert_close(rates, expected, rtol=1e-11, atol=0.0, name=f"{name} without gamma")


@points(1)
def test_whole_numbers(probes):
    """The rates are floats for a base rate of 2 and a gamma of 3 too, though their product is a whole number."""
    cases = {
        "step_lr": ({"step_size": 2, "gamma": 3}, [2.0, 2.0, 6.0]),
        "multistep_lr": ({"milestones": [3, 1], "gamma": 3}, [2.0, 6.0, 18.0]),
        "exp_lr": ({"gamma": 3}, [2.0, 6.0, 54.0]),
    }
    for name, (options, expected) in cases.items():
        rates, floats = probes.trace(name, 2, [0, 1, 3], options)
        check(floats, f"{name} must return a Python float")
        assert_close(rates, expected, rtol=1e-11, atol=0.0, name=f"{name} in epochs 0, 1 and 3")


@points(1)
def test_milestones_stay_as_they_are(solution):
    """The list of milestones belongs to the caller, and must not be sorted in place."""
    assert_not_mutated(solution.multistep_lr, 0.1, 5, [9, 3, 6], 0.5)


SCHEDULES = {
    "step": ("StepLR", {"step_size": 2, "gamma": 0.5}, lambda k: 0.5 ** (k // 2)),
    "warm-up": ("LinearLR", {"start_factor": 0.25, "total_iters": 3}, lambda k: min(1.0, 0.25 + 0.25 * k)),
}


@points(3)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_rates_of_the_loop(probes, rng, schedule):
    """An epoch is trained with another rate than its own: first the optimizer's steps, then one step of the schedule."""
    kind, options, factor = SCHEDULES[schedule]
    rates, epochs, steps = [rng.uniform(0.1, 0.2), rng.uniform(0.3, 0.4)], rng.integer(5, 8), rng.integer(2, 4)
    outcome = probes.train(rates, kind, options, epochs, steps)
    expected = [rates[0] * factor(k) for k in range(epochs)]
    check(outcome["epochs"] == list(range(epochs)), "train_one_epoch was not called once for each epoch, in order")
    used = [rate for rate in expected for _ in range(steps)]
    assert_close(outcome["used"], used, rtol=1e-9, name="rates that the optimizer's steps used")
    check(type(outcome["returned"]) is list, "run_epochs must return a list")
    assert_close(outcome["returned"], expected, rtol=1e-9, name="returned rates")
    check(outcome["advanced"] == epochs, "the schedule was not advanced once for each epoch")
    assert_close(outcome["final"], [rate * factor(epochs) for rate in rates], rtol=1e-9, name="rates after the loop")


@points(1)
def test_no_warning(probes, rng):
    """torch warns if a schedule is advanced before the first optimizer step: the proper order is silent."""
    outcome = probes.train([rng.uniform(0.1, 1.0)], "StepLR", {"step_size": 1}, 2, 1)
    check(outcome["warnings"] == [], "a warning was issued")
    check(outcome["advanced"] == 2, "the schedule was not advanced once for each epoch")


@points(1)
def test_no_epochs(probes, rng):
    """With epochs=0 nothing is called, nothing is advanced, and the list is empty."""
    rate = rng.uniform(0.1, 1.0)
    outcome = probes.train([rate], "ExponentialLR", {"gamma": 0.5}, 0, 1)
    check(outcome["returned"] == [], "an empty list expected")
    check(outcome["epochs"] == [] and outcome["advanced"] == 0, "something was called although there are no epochs")
