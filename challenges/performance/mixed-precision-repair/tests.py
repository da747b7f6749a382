"""Hidden tests: train. Losses and weights are replayed, places and dtypes are noted on the way."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

BF16, FP16 = torch.bfloat16, torch.float16
HALF = pytest.mark.parametrize("dtype", [BF16, FP16], ids=["bfloat16", "float16"])
SIZES = (4, 6, 2)
OFF = [False, ""]
RTOL = 2e-3  # half-precision roundings of sums in any order


def weights_of(rng, tokens=0, **_):
    inputs, hidden, outputs = SIZES
    shapes = {"table.weight": (tokens, inputs)} if tokens else {}
    shapes |= {"first.weight": (hidden, inputs), "first.bias": (hidden,), "last.weight": (outputs, hidden)}
    weights = {name: 0.6 * rng.randn(*shape) for name, shape in (shapes | {"last.bias": (outputs,)}).items()}
    return weights | {"norm.weight": torch.ones(hidden), "norm.bias": torch.zeros(hidden)}


def batches_of(rng, count=3, rows=5):
    return [(rng.randn(rows, SIZES[0]), rng.randn(rows, SIZES[2])) for _ in range(count)]


def plan_of(dtype, **changes):
    return {"sizes": SIZES, "dtype": dtype, "options": {"lr": 0.1}, **changes}


def check_same(actual, expected, rtol=RTOL):
    check(type(actual["losses"]) is list, "a list of losses must come back")
    check(all(type(loss) is float for loss in actual["losses"]), "every loss must be a Python float")
    # nothing has been updated before the first loss: no rounding can have grown
    assert_close(actual["losses"][:1], expected["losses"][:1], rtol=3e-4, name="first loss")
    assert_close(actual["losses"], expected["losses"], rtol=rtol, name="losses")
    assert_close(actual["weights"], expected["weights"], rtol=rtol, name="weights")


@sample
@points(1)
def test_it_runs(probes, rng):
    """train runs with bfloat16 on the CPU and gives one float for each batch."""
    losses = probes.run(plan_of(BF16), weights_of(rng), batches_of(rng))["losses"]
    check(type(losses) is list and len(losses) == 3, "a list with one loss for each batch must come back")
    check(all(type(loss) is float for loss in losses), "every loss must be a Python float")


@sample
@points(1)
@HALF
def test_weights_are_float32(probes, rng, dtype):
    """Weights and gradients are float32 after training, as they were before."""
    actual = probes.run(plan_of(dtype), weights_of(rng), batches_of(rng))
    check(all(t.dtype is torch.float32 for t in actual["weights"].values()), "a weight is not float32 any more")
    check(set(actual["gradients"].values()) == {"torch.float32"}, "a gradient is not float32")


@points(2)
@pytest.mark.parametrize("optimizer", ["SGD", "AdamW"])
def test_bfloat16(probes, reference, rng, optimizer):
    """Losses or weights of a bfloat16 run differ from the reference: no scaling there, one update for each batch."""
    options = {"lr": 0.1, "momentum": 0.9} if optimizer == "SGD" else {"lr": 0.01, "eps": 1e-3}
    arguments = plan_of(BF16, optimizer=optimizer, options=options), weights_of(rng), batches_of(rng)
    rtol = RTOL if optimizer == "SGD" else 1e-2
    check_same(probes.run(*arguments), probes.on(reference).run(*arguments), rtol)


@points(2)
def test_float16(probes, reference, rng):
    """A float16 run differs from one that uses torch.amp.GradScaler with its default settings."""
    arguments = plan_of(FP16, factor=0.01, options={"lr": 5.0}), weights_of(rng), batches_of(rng)
    check_same(probes.run(*arguments), probes.on(reference).run(*arguments))


@attested
@points(1)
def test_bfloat16_is_not_scaled(probes, rng):
    """With bfloat16 nothing is scaled: its range is that of float32, and backward starts from the loss itself."""
    scale = probes.run(plan_of(BF16), weights_of(rng), batches_of(rng, 2))["log"].get("scale")
    check(scale == [1.0, 1.0], "the loss was scaled although the dtype is bfloat16")


@points(2)
def test_small_gradients_survive_float16(probes, reference, rng):
    """Gradients of 1e-8 become zero in float16 unless the loss is scaled before backward: then the weights do not move."""
    weights, batches = weights_of(rng), batches_of(rng, 1)
    arguments = plan_of(FP16, factor=1e-8, options={"lr": 1e7}), weights, batches
    moved = probes.run(*arguments)["weights"]
    # a run with larger gradients in another dtype would round differently, and the LayerNorm may enlarge that without limit
    expected = probes.on(reference).run(*arguments)["weights"]
    assert_close(moved["first.weight"], expected["first.weight"], atol=0.02, rtol=0.0, name="weights")
    check(not torch.equal(moved["first.weight"], weights["first.weight"]), "the weights have not moved at all")


@points(1)
def test_overflow_skips_the_step(probes, rng):
    """When a scaled float16 gradient overflows, that update is skipped and the weights stay finite."""
    weights = weights_of(rng)
    moved = probes.run(plan_of(FP16, factor=1e4), weights, batches_of(rng, 1))["weights"]
    assert_close(moved, weights, rtol=0.0, atol=0.0, name="weights after a step that overflowed")


@attested
@points(1)
def test_one_scaler_for_all_batches(probes, rng):
    """The scale begins at GradScaler's default, and each overflow halves it for the next batch: the scaler must remember."""
    scale = probes.run(plan_of(FP16, factor=1e4), weights_of(rng), batches_of(rng))["log"].get("scale")
    check(
        scale == [65536.0, 32768.0, 16384.0], "the losses were not scaled by one GradScaler with its default settings"
    )


@points(2)
@HALF
def test_clipping(probes, reference, rng, dtype):
    """max_norm limits the norm of the true gradients: scaled ones must be brought back to size before they are clipped."""
    plan = plan_of(dtype, factor=0.05, max_norm=0.01 * rng.uniform(0.5, 1), options={"lr": 10.0})
    arguments = plan, weights_of(rng), batches_of(rng, 2)
    check_same(probes.run(*arguments), probes.on(reference).run(*arguments), 5e-3)


@points(1)
@HALF
def test_clipping_to_zero(probes, rng, dtype):
    """max_norm=0.0 is a limit like any other: nothing moves; only None means no clipping."""
    weights = weights_of(rng)
    moved = probes.run(plan_of(dtype, factor=0.01, max_norm=0.0), weights, batches_of(rng))["weights"]
    assert_close(moved, weights, rtol=0.0, atol=1e-9, name="weights")


@attested
@points(2)
@HALF
def test_forward_and_loss_under_autocast(probes, rng, dtype):
    """Forward and loss run under autocast with the dtype that was asked for, once for each batch."""
    log = probes.run(plan_of(dtype), weights_of(rng), batches_of(rng, 2))["log"]
    check(log.get("forward") == [[True, str(dtype)]] * 2, "the model must run once a batch under autocast")
    check(log.get("loss") == [[True, str(dtype)]] * 2, "the loss must be computed once a batch under autocast")
    check(log.get("input") == "torch.float32", "x was converted on its way to the model")
    check(log.get("target") == "torch.float32", "y was converted on its way to the loss")


@attested
@points(2)
def test_backward_and_step_outside(probes, rng):
    """Backward and the optimizer's step do not belong into the autocast block."""
    actual = probes.run(plan_of(BF16), weights_of(rng), batches_of(rng, 2))
    check(actual["log"].get("backward") == [OFF] * 2, "backward must run once a batch, outside autocast")
    check(actual["log"].get("step") == [OFF] * 2, "the optimizer must step once a batch, outside autocast")


@points(1)
@HALF
def test_no_warnings(probes, rng, dtype):
    """No warning is issued: the retired names give a FutureWarning, and a CUDA scaler on the CPU warns as well."""
    actual = probes.run(plan_of(dtype), weights_of(rng), batches_of(rng, 1))
    check(actual["warnings"] == [], "a warning was issued: " + ", ".join(actual["warnings"])[:80])


@points(1)
def test_token_ids_and_class_labels(probes, reference, rng):
    """Token ids and labels are int64: the batch goes to the model as it is."""
    plan = plan_of(BF16, network={"tokens": 7}, loss="cross_entropy")
    batches = [(rng.randint(0, 7, (5,)), rng.randint(0, SIZES[2], (5,))) for _ in range(2)]
    arguments = plan, weights_of(rng, tokens=7), batches
    check_same(probes.run(*arguments), probes.on(reference).run(*arguments))


@points(1)
@HALF
def test_large_losses(probes, reference, rng, dtype):
    """A loss of a million is reported as it is: unscaled, and not cut off."""
    arguments = plan_of(dtype, factor=1e6, options={"lr": 1e-9}), weights_of(rng), batches_of(rng, 1)
    actual, expected = probes.run(*arguments)["losses"], probes.on(reference).run(*arguments)["losses"]
    assert_close(actual, expected, rtol=3e-4, name="losses")


@points(1)
def test_stale_gradients(probes, reference, rng):
    """Gradients from before the call do not count, nor do those of an earlier batch."""
    arguments = plan_of(BF16, stale=rng.uniform(2, 9)), weights_of(rng), batches_of(rng)
    check_same(probes.run(*arguments), probes.on(reference).run(*arguments))


@points(1)
def test_no_batches(probes, rng):
    """Without batches the list is empty and nothing moves."""
    weights = weights_of(rng)
    actual = probes.run(plan_of(BF16), weights, [])
    check(actual["losses"] == [], "the list of losses must be empty")
    assert_close(actual["weights"], weights, rtol=0.0, atol=0.0, name="weights")
