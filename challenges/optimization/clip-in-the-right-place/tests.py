"""Hidden tests: what does the optimizer receive? The same plan runs with the answer and with a right set of loops."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
NAMES = ("fit", "fit_deep", "fit_accumulated", "fit_scaled")
EACH = pytest.mark.parametrize("name", NAMES)


def drawn(rng, depth=2, dtype=F64):
    """Weights of a network from 3 to 2 numbers."""
    weights = {}
    for i in range(depth):
        out, into = (2 if i == depth - 1 else 5), (3 if i == 0 else 5)
        weights[f"{2 * i}.weight"] = 0.5 * rng.randn(out, into, dtype=dtype)
        weights[f"{2 * i}.bias"] = rng.randn(out, dtype=dtype)
    return weights


def batches_of(rng, n, dtype=F64, size=10.0):
    """Batches with targets so large that gradients are far longer than the limits used here."""
    return [(rng.randn(4, 3, dtype=dtype), size * (2 + rng.rand(4, 2, dtype=dtype))) for _ in range(n)]


def compare(probes, reference, name, plan, weights, batches):
    """Norms, gradients at the optimizer and final weights of the answer, against right loops."""
    plan = {"every": 2, **plan}
    outcome = probes.train(name, plan, weights, batches)
    expected = probes.on(reference).train(name, plan, weights, batches)
    steps = len(expected["received"])
    check(len(outcome["received"]) == steps, f"{steps} optimizer steps expected, there were {len(outcome['received'])}")
    check(outcome["forwards"] == len(batches), "each batch needs one forward pass")
    for k, (actual, right) in enumerate(zip(outcome["received"], expected["received"], strict=True)):
        for i, (one, other) in enumerate(zip(actual, right, strict=True)):
            check((one is None) == (other is None), "a parameter without a gradient got one, or the reverse")
            if other is not None:
                assert_close(one, other, rtol=1e-5, name=f"gradient {i} that step {k} received")
    assert_close(outcome["norms"], expected["norms"], rtol=1e-5, equal_nan=True, name="returned norms")
    check(all(type(norm) is float for norm in outcome["norms"]), "the norms must be Python floats")
    assert_close(outcome["weights"], expected["weights"], rtol=1e-5, name="weights")
    return outcome


def one_number(batches, name, probes, **plan):
    """A model of one weight and one bias, both 0 at first, and SGD with a rate of 1."""
    weights = {"0.weight": torch.zeros(1, 1), "0.bias": torch.zeros(1)}
    return probes.train(name, {"depth": 1, "options": {"lr": 1.0}, **plan}, weights, batches)


@sample
@points(1)
def test_plain_step(probes):
    """Weight and bias 0, x = 0, y = 3: the gradient of the bias is -6, the limit 1, so one step of rate 1 gives bias 1."""
    outcome = one_number([(torch.zeros(1, 1), torch.full((1, 1), 3.0))], "fit", probes, max_norm=1.0)
    assert_close(outcome["norms"], [6.0], name="norms")
    assert_close(outcome["weights"]["0.bias"], torch.ones(1), atol=1e-5, name="bias")


@sample
@points(1)
def test_two_tensors_share_the_limit(probes):
    """x = 1, y = 1: weight and bias both have the gradient -2. Together they are clipped to 1, each is the root of 1/2."""
    outcome = one_number([(torch.ones(1, 1), torch.ones(1, 1))], "fit_deep", probes, max_norm=1.0)
    assert_close(outcome["norms"], [8**0.5], name="norms")
    assert_close(outcome["weights"]["0.weight"], torch.full((1, 1), 0.5**0.5), atol=1e-5, name="weight")


@sample
@points(1)
def test_mean_of_two_batches(probes):
    """Bias gradients -6 and +6 have the mean 0: nothing is to be clipped, and nothing moves."""
    x, y = torch.zeros(1, 1), torch.full((1, 1), 3.0)
    outcome = one_number([(x, y), (x, -y)], "fit_accumulated", probes, max_norm=1.0, every=2)
    assert_close(outcome["norms"], [0.0], name="norms")
    assert_close(outcome["weights"]["0.bias"], torch.zeros(1), name="bias")


@sample
@points(1)
def test_scaled_step(probes):
    """As the first sample, with a loss that is scaled by 4096: norm and step are the same as without."""
    outcome = one_number([(torch.zeros(1, 1), torch.full((1, 1), 3.0))], "fit_scaled", probes, max_norm=1.0)
    assert_close(outcome["norms"], [6.0], name="norms")
    assert_close(outcome["weights"]["0.bias"], torch.ones(1), atol=1e-5, name="bias")


@points(3)
@EACH
def test_what_the_optimizer_receives(probes, reference, rng, name):
    """The optimizer got other gradients than clipping the complete, unscaled ones by their global norm gives."""
    plan = {"max_norm": rng.uniform(0.5, 2.0)}
    compare(probes, reference, name, plan, drawn(rng), batches_of(rng, 4))


@points(1)
@EACH
def test_momentum_and_float32(probes, reference, rng, name):
    """With float32 and momentum an unclipped step shows for long: weights or norms drift away from a right loop."""
    plan = {"max_norm": rng.uniform(0.5, 2.0), "options": {"lr": 0.05, "momentum": 0.9}}
    compare(probes, reference, name, plan, drawn(rng, dtype=F32), batches_of(rng, 6, F32))


@points(1)
@EACH
def test_below_the_limit(probes, reference, rng, name):
    """Gradients shorter than the limit arrive as they are: nothing is stretched, with a finite limit or without one."""
    weights = drawn(rng)
    for limit in (1e4, float("inf")):
        compare(probes, reference, name, {"max_norm": limit}, weights, batches_of(rng, 2))


@points(1)
@EACH
def test_gradients_from_before(probes, reference, rng, name):
    """Gradients that lie in .grad when the function is called are none of its business: they must not count."""
    plan = {"max_norm": rng.uniform(0.5, 2.0), "stale": 50.0, "optimizer": "Adam", "options": {"lr": 0.1}}
    compare(probes, reference, name, plan, drawn(rng), batches_of(rng, 2))


@points(1)
@EACH
def test_frozen_layers(probes, reference, rng, name):
    """Parameters without a gradient take no part: neither in the norm, nor in the step."""
    plan = {"max_norm": rng.uniform(0.5, 2.0), "depth": 3, "frozen": [2]}
    compare(probes, reference, name, plan, drawn(rng, 3), batches_of(rng, 2))


@points(1)
@EACH
def test_no_batches_and_a_generator(probes, reference, rng, name):
    """Batches may come from a generator, which is walked once; without any batch the result is an empty list."""
    weights, plan = drawn(rng), {"max_norm": 1.0, "generator": True}
    compare(probes, reference, name, plan, weights, batches_of(rng, 2))
    outcome = probes.train(name, {"max_norm": 2.0, "every": 2}, weights, [])
    check(outcome["norms"] == [], "without batches the list must be empty")


@points(1)
def test_limit_of_zero(probes, reference, rng):
    """max_norm=0.0 is a limit like any other: every step receives zeros, and the norms are reported."""
    for name in NAMES:
        compare(probes, reference, name, {"max_norm": 0.0}, drawn(rng), batches_of(rng, 2))


@points(2)
@pytest.mark.parametrize("every", [1, 3])
def test_accumulation(probes, reference, rng, every):
    """For `every` batches there is one norm and one step: the limit belongs to the finished mean, not to its parts."""
    plan = {"max_norm": rng.uniform(0.5, 2.0), "every": every}
    compare(probes, reference, "fit_accumulated", plan, drawn(rng), batches_of(rng, 6))


@points(2)
def test_same_as_one_large_batch(probes, rng):
    """Three batches accumulated must do what one batch of all their rows does, norm and weights."""
    weights, parts = drawn(rng), batches_of(rng, 3)
    plan = {"max_norm": rng.uniform(0.5, 2.0), "every": 3}
    whole = [tuple(torch.cat(tensors) for tensors in zip(*parts, strict=True))]
    one = probes.train("fit_accumulated", plan, weights, parts)
    other = probes.train("fit", plan, weights, whole)
    assert_close(one["norms"], other["norms"], rtol=1e-5, name="norms of fit_accumulated against fit")
    assert_close(one["weights"], other["weights"], rtol=1e-5, name="weights of fit_accumulated against fit")


@points(2)
def test_overflow_is_skipped(probes, reference, rng):
    """Under a scaler a batch with infinite gradients makes no step, the next one does, and the scale has fallen."""
    batches = batches_of(rng, 3)
    batches[1][0][rng.integer(0, 4), 0] = float("inf")
    weights = drawn(rng, 1)
    plan = {"max_norm": rng.uniform(0.5, 2.0), "depth": 1}
    outcome = compare(probes, reference, "fit_scaled", plan, weights, batches)
    check(outcome["scale"] == 2048.0, "the scale must be halved once: update the scaler once per batch")


@points(1)
def test_scale_grows(probes, reference, rng):
    """The scaler is updated once for each batch: after `growth_interval` good ones its scale doubles."""
    plan = {"max_norm": rng.uniform(0.5, 2.0), "scaler": {"init_scale": 16.0, "growth_interval": 2}}
    outcome = compare(probes, reference, "fit_scaled", plan, drawn(rng), batches_of(rng, 5))
    check(outcome["scale"] == 64.0, "two doublings expected in five good batches")


@points(1)
@pytest.mark.parametrize("name", ["fit", "fit_deep", "fit_accumulated"])
def test_tiny_gradients(probes, name):
    """Where norm and limit are as small as the 1e-6 of the formula, that 1e-6 decides: use it as it stands there."""
    batch = (torch.zeros(1, 1), torch.full((1, 1), 1e-6))
    outcome = one_number([batch], name, probes, max_norm=1e-6, every=1, options={"lr": 1e6})
    assert_close(outcome["weights"]["0.bias"], torch.full((1,), 2 / 3), rtol=1e-4, name="bias")


@attested
@points(1)
@pytest.mark.parametrize("case", ["train", "eval", "mixed"])
def test_mode_is_left_alone(probes, rng, case):
    """Which modules are in train and which in eval mode is the caller's decision, during the call and after it."""
    weights, batches = drawn(rng), batches_of(rng, 1)
    plan = {"max_norm": 1.0, "every": 1, "training": case != "eval", "evaluating": [2] if case == "mixed" else []}
    for name in NAMES:
        first, *later = probes.train(name, plan, weights, batches)["modes"]
        check(all(modes == first for modes in later), "the mode of the model, or of one of its modules, was changed")
