"""Hidden tests: the rate, the momentum and the gradient of every optimizer step, as a spy in the optimizer saw them."""

import math

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64


def drawn(rng, n, dtype=F64):
    """Weights of a layer from 3 to 2, inputs and targets."""
    return (
        [rng.randn(2, 3, dtype=dtype), rng.randn(2, dtype=dtype)],
        rng.randn(n, 3, dtype=dtype),
        rng.randn(n, 2, dtype=dtype),
    )


def plan_of(batch_size, epochs, max_lr, every=None, **more):
    """What the probe is told; `every` is passed only if it is given."""
    options = {} if every is None else {"every": every}
    return {"batch_size": batch_size, "epochs": epochs, "max_lr": max_lr, "more": options, **more}


def expected_rates(steps, max_lr):
    """One cycle by its formula: cosine up for 30 % of the steps, cosine down to a tiny part of where it started."""
    start, end = max_lr / 25, max_lr / 25 / 1e4
    peak, last = 0.3 * steps - 1, steps - 1
    rates = []
    for k in range(steps):
        a, b, part = (start, max_lr, k / peak) if k <= peak else (max_lr, end, (k - peak) / (last - peak))
        rates.append(b + (a - b) / 2 * (1 + math.cos(math.pi * part)))
    return rates


def steps_of(n, plan):
    """Optimizer steps of the whole training, counted by laying out batches and groups."""
    batches = len(range(0, n, plan["batch_size"]))
    return plan["epochs"] * len(range(0, batches, plan["more"].get("every", 1)))


def compare(probes, reference, rng, n, plan, dtype=F64):
    """Everything that the spy saw, against a right trainer; the rates against the formula as well."""
    weights, x, y = drawn(rng, n, dtype)
    outcome = probes.run(plan, weights, x, y)
    steps = steps_of(n, plan)
    check(len(outcome["rates"]) == steps, f"{steps} optimizer steps expected, there were {len(outcome['rates'])}")
    expected = [[rate, rate] for rate in expected_rates(steps, plan["max_lr"])]
    assert_close(outcome["rates"], expected, rtol=1e-6, name="rates of the steps")
    right = probes.on(reference).run(plan, weights, x, y)
    assert_close(outcome["gradients"], right["gradients"], scale=16.0, name="gradients of the steps")
    assert_close(outcome["weights"], right["weights"], scale=16.0, name="weights")
    return outcome


@sample
@points(1)
def test_ten_samples_in_batches_of_four(probes):
    """Ten samples, batches of 4, 4 and 2, four epochs: twelve optimizer steps, and a cycle of twelve rates."""
    weights = [torch.zeros(2, 3), torch.zeros(2)]
    outcome = probes.run(plan_of(4, 4, 1.0), weights, torch.ones(10, 3), torch.ones(10, 2))
    check(len(outcome["rates"]) == 12, f"12 optimizer steps expected, there were {len(outcome['rates'])}")
    rates = [step[0] for step in outcome["rates"]]
    assert_close(rates, expected_rates(12, 1.0), rtol=1e-6, name="rates")


@sample
@points(1)
def test_two_batches_for_one_step(probes):
    """Ten samples, batches of 2, groups of 2, 2 and 1 batches, two epochs: six optimizer steps."""
    weights = [torch.zeros(2, 3), torch.zeros(2)]
    outcome = probes.run(plan_of(2, 2, 1.0, 2), weights, torch.ones(10, 3), torch.ones(10, 2))
    rates = [step[0] for step in outcome["rates"]]
    check(len(rates) == 6, f"6 optimizer steps expected, there were {len(rates)}")
    assert_close(rates, expected_rates(6, 1.0), rtol=1e-6, name="rates")


@sample
@points(1)
def test_returned_rates(probes):
    """The result is what the steps have used: the first rate is a 25th of max_lr."""
    weights = [torch.zeros(2, 3), torch.zeros(2)]
    outcome = probes.run(plan_of(5, 3, 0.5, one_group=True), weights, torch.ones(10, 3), torch.ones(10, 2))
    check(len(outcome["returned"]) == 6, "six optimizer steps make six rates")
    assert_close(outcome["returned"][0], 0.02, rtol=1e-6, name="first rate")
    assert_close(outcome["returned"], [step[0] for step in outcome["rates"]], rtol=1e-9, name="rates")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_full_batches(probes, reference, rng, dtype):
    """Even when all batches are full, each optimizer step needs the next rate of the cycle."""
    size, number = rng.integer(2, 5), rng.integer(3, 6)
    plan = plan_of(size, rng.integer(3, 5), rng.uniform(0.05, 0.2))
    compare(probes, reference, rng, size * number, plan, dtype)


@points(2)
def test_short_last_batch(probes, reference, rng):
    """A last batch that is not full is trained on, and makes a step that must be counted."""
    size = rng.integer(3, 6)
    plan = plan_of(size, rng.integer(2, 5), rng.uniform(0.05, 0.2))
    compare(probes, reference, rng, 3 * size + rng.integer(1, size), plan)


@points(2)
@pytest.mark.parametrize("every", [2, 3])
def test_accumulation(probes, reference, rng, every):
    """With accumulation the optimizer steps once per group: the cycle counts these steps, epoch by epoch."""
    plan = plan_of(2, 3, rng.uniform(0.05, 0.2), every)
    compare(probes, reference, rng, 2 * (3 * every + 1), plan)


@points(2)
def test_short_last_group(probes, reference, rng):
    """The last group of an epoch may have fewer batches: its loss is divided by the batches it has."""
    plan = plan_of(3, rng.integer(2, 4), rng.uniform(0.05, 0.2), 4)
    compare(probes, reference, rng, 3 * 6 + rng.integer(1, 3), plan)


@points(1)
def test_group_larger_than_the_epoch(probes, reference, rng):
    """When an epoch has fewer batches than a group, each epoch is one step."""
    compare(probes, reference, rng, 5, plan_of(2, rng.integer(4, 7), 0.1, 50))


@points(1)
def test_batch_larger_than_the_data(probes, reference, rng):
    """When all samples fit into one batch, each epoch is one step."""
    compare(probes, reference, rng, 3, plan_of(64, rng.integer(4, 7), 0.1))


@points(2)
def test_last_rate_is_the_smallest(probes, rng):
    """In the last step the rate must have come down to the end of its cycle, and the peak lies after 30 % of the steps."""
    weights, x, y = drawn(rng, 20)
    max_lr = rng.uniform(0.05, 0.2)
    rates = [step[0] for step in probes.run(plan_of(2, 4, max_lr), weights, x, y)["rates"]]
    check(len(rates) == 40, f"40 optimizer steps expected, there were {len(rates)}")
    assert_close(rates[11], max_lr, rtol=1e-6, name="rate of step 12")
    assert_close(rates[-1], max_lr / 250_000, rtol=1e-4, name="rate of the last step")


@points(1)
@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_momentum_moves_the_other_way(probes, reference, rng, kind):
    """Momentum (or beta1) falls while the rate climbs and rises while it falls, as OneCycleLR does by default."""
    options = {"momentum": 0.9} if kind == "SGD" else {"weight_decay": 0.1}
    plan = plan_of(3, 3, rng.uniform(0.02, 0.1), optimizer=kind, options=options)
    weights, x, y = drawn(rng, 16)
    outcome, right = (side.run(plan, weights, x, y) for side in (probes, probes.on(reference)))
    assert_close(outcome["momenta"], right["momenta"], rtol=1e-6, name="momentum of the steps")
    assert_close(outcome["weights"], right["weights"], scale=16.0, name="weights")


@attested
@points(1)
def test_no_warnings(probes, rng):
    """Stepped in the right order, the schedule causes no warning."""
    weights, x, y = drawn(rng, 7)
    check(probes.run(plan_of(2, 2, 0.1), weights, x, y)["warnings"] == [], "a warning was issued")


@points(1)
def test_two_steps_in_all(probes, reference, rng):
    """A training of two optimizer steps has a cycle of two: the second uses the smallest rate."""
    compare(probes, reference, rng, 6, plan_of(3, 1, rng.uniform(0.1, 0.5)))
