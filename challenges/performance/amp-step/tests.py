"""Hidden tests: amp_step. Weights are replayed against the reference, places and dtypes are noted on the way."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
HALF = pytest.mark.parametrize("dtype", [BF16, FP16], ids=["bfloat16", "float16"])
OFF = [False, ""]
# weights move by rate * gradient; two honest runs make the same half-precision roundings, but in sums of any order
RTOL = 2e-3


def weights_of(rng, sizes, tokens=0, idle=False, **_):
    inputs, hidden, outputs = sizes
    shapes = {"table.weight": (tokens, inputs)} if tokens else {}
    shapes |= {"first.weight": (hidden, inputs), "first.bias": (hidden,), "last.weight": (outputs, hidden)}
    shapes |= {"last.bias": (outputs,)} | ({"idle.weight": (outputs, inputs), "idle.bias": (outputs,)} if idle else {})
    weights = {name: 0.6 * rng.randn(*shape) for name, shape in shapes.items()}
    return weights | {"norm.weight": torch.ones(hidden), "norm.bias": torch.zeros(hidden)}


def data(rng, plan, count=1, rows=6):
    inputs, _, outputs = plan["sizes"]
    batches = []
    for _ in range(count):
        tokens = plan.get("network", {}).get("tokens")
        x = rng.randint(0, tokens, (rows,)) if tokens else rng.randn(rows, inputs)
        y = rng.randint(0, outputs, (rows,)) if plan.get("loss") == "cross_entropy" else rng.randn(rows, outputs)
        batches.append((x, y))
    return batches


def plan_of(dtype=BF16, **changes):
    return {"sizes": (5, 8, 3), "dtype": dtype, **changes}


def run_both(probes, reference, rng, plan, count=1):
    weights = weights_of(rng, plan["sizes"], **plan.get("network", {}))
    batches = data(rng, plan, count)
    return probes.steps(plan, weights, batches), probes.on(reference).steps(plan, weights, batches), weights


def check_same(actual, expected, rtol=RTOL):
    check(all(type(loss) is float for loss in actual["losses"]), "the loss must come back as a Python float")
    assert_close(actual["losses"], expected["losses"], rtol=rtol, name="losses")
    assert_close(actual["weights"], expected["weights"], rtol=rtol, name="weights")


@sample
@points(1)
def test_loss_is_a_number(probes):
    """amp_step gives the loss as a Python float, not as a tensor with its graph."""
    weights = {"first.weight": torch.eye(2), "first.bias": torch.zeros(2), "last.weight": torch.ones(1, 2)}
    weights |= {"last.bias": torch.zeros(1), "norm.weight": torch.zeros(2), "norm.bias": torch.zeros(2)}
    plan = {"sizes": (2, 2, 1), "dtype": torch.bfloat16}
    losses = probes.steps(plan, weights, [(torch.ones(2, 2), torch.tensor([[1.0], [3.0]]))])["losses"]
    check(len(losses) == 1 and type(losses[0]) is float, "the loss must come back as a Python float")
    assert_close(losses, [5.0], name="losses")


@sample
@attested
@points(1)
def test_linear_layers_give_bfloat16(probes, rng):
    """Under autocast a linear layer gives bfloat16, although weights and inputs are float32."""
    actual = probes.steps(plan_of(), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))
    check(actual["log"]["linear"] == "torch.bfloat16", f"the first layer gave {actual['log']['linear']}")


@sample
@points(1)
def test_weights_stay_float32(probes, rng):
    """Weights and gradients are float32 before and after: autocast converts neither, and nor should you."""
    actual = probes.steps(plan_of(), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))
    check(all(t.dtype is torch.float32 for t in actual["weights"].values()), "a weight is not float32 any more")
    check(set(actual["gradients"].values()) == {"torch.float32"}, "a gradient is not float32")


@points(3)
@HALF
@pytest.mark.parametrize("optimizer", ["SGD", "AdamW"])
def test_three_steps(probes, reference, rng, optimizer, dtype):
    """Losses or weights after three steps differ from the reference: one forward, one backward and one update per call."""
    options = {"lr": 0.05, "momentum": 0.9} if optimizer == "SGD" else {"lr": 0.01, "eps": 1e-3}
    actual, expected, _ = run_both(probes, reference, rng, plan_of(dtype, optimizer=optimizer, options=options), 3)
    check_same(actual, expected, 1e-2 if optimizer == "AdamW" else RTOL)


@points(1)
def test_every_step_counts(probes, rng):
    """After a call the weights have moved, and a second call moves them again."""
    weights = weights_of(rng, (5, 8, 3))
    first, second = data(rng, plan_of(), 2)
    one = probes.steps(plan_of(), weights, [first])["weights"]
    two = probes.steps(plan_of(), weights, [first, second])["weights"]
    for name in ("first.weight", "last.bias"):
        check(not torch.equal(one[name], weights[name]), f"{name} has not moved")
        check(not torch.equal(two[name], one[name]), f"{name} has not moved in the second step")


@attested
@points(2)
@HALF
def test_forward_and_loss_under_autocast(probes, rng, dtype):
    """The forward pass and the loss both run under autocast with the dtype that was asked for."""
    log = probes.steps(plan_of(dtype), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))["log"]
    check(log.get("forward") == [[True, str(dtype)]], "the model did not run (once) under autocast with this dtype")
    check(log.get("loss") == [[True, str(dtype)]], "the loss was not computed (once) under autocast with this dtype")
    check(log.get("prediction") == str(dtype), "the prediction was converted on its way to the loss")
    check(log.get("input") == str(FP32), "x was converted on its way to the model")
    check(log.get("target") == str(FP32), "y was converted on its way to the loss")


@attested
@points(2)
def test_backward_and_step_outside(probes, rng):
    """Backward follows what forward has recorded, and the update is float32: neither belongs into the autocast block."""
    log = probes.steps(plan_of(), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))["log"]
    check(log.get("backward") == [OFF], "backward must run once, and outside autocast")
    check(log.get("step") == [OFF], "optimizer.step() must run once, and outside autocast")


@attested
@points(1)
@pytest.mark.parametrize("raises", ["", "model", "loss"], ids=["normal", "forward-raises", "loss-raises"])
def test_autocast_is_off_afterwards(probes, rng, raises):
    """After the call autocast is off again, also when the model or the loss has raised."""
    actual = probes.steps(plan_of(raises=raises), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))
    check(actual["after"] == OFF, "autocast is still on after the call")
    check(actual["raised"] == bool(raises), "what the model or the loss raises must go through to the caller")


@points(2)
def test_stale_gradients(probes, reference, rng):
    """Gradients that were there before the call must not reach the update."""
    check_same(*run_both(probes, reference, rng, plan_of(stale=rng.uniform(2, 9)), 2)[:2])


@points(2)
def test_float32_is_plain_training(probes, reference, rng):
    """dtype=torch.float32 asks for full precision: no autocast, no rounding to half precision anywhere."""
    actual, expected, _ = run_both(probes, reference, rng, plan_of(FP32), 3)
    check_same(actual, expected, 1e-5)


@points(1)
@pytest.mark.parametrize("dtype", [FP32, BF16, FP16], ids=["float32", "bfloat16", "float16"])
def test_no_warnings(probes, rng, dtype):
    """No warning is issued: the retired names warn, and so does an autocast block that asks for float32."""
    actual = probes.steps(plan_of(dtype), weights_of(rng, (5, 8, 3)), data(rng, plan_of()))
    check(actual["warnings"] == [], "a warning was issued: " + ", ".join(actual["warnings"])[:80])


@points(1)
def test_token_ids_and_class_labels(probes, reference, rng):
    """Token ids and labels are int64 and stay so: the batch goes to the model as it is."""
    plan = plan_of(network={"tokens": 9}, loss="cross_entropy")
    check_same(*run_both(probes, reference, rng, plan, 2)[:2])


@points(1)
def test_frozen_and_unused_parameters(probes, reference, rng):
    """Parameters that are frozen or that the loss does not use have no gradient; they stay as they are."""
    plan = plan_of(network={"idle": True}, frozen=["first.weight"])
    actual, expected, weights = run_both(probes, reference, rng, plan, 2)
    check_same(actual, expected)
    for name in ("first.weight", "idle.weight", "idle.bias"):
        assert_close(actual["weights"][name], weights[name], rtol=0.0, atol=0.0, name=name)
        check(actual["gradients"][name] is None, f"{name} has a gradient")
    check(actual["frozen"] == ["first.weight"], "another set of parameters is frozen after the call")


@points(2)
def test_unused_parameters_with_stale_gradients(probes, reference, rng):
    """A gradient of zeros is a gradient: decay moves what the loss does not use. Stale ones must be gone, not zero."""
    options = {"lr": 0.1, "momentum": 0.9, "weight_decay": rng.uniform(0.1, 0.4)}
    plan = plan_of(network={"idle": True}, stale=rng.uniform(2, 9), options=options)
    actual, expected, weights = run_both(probes, reference, rng, plan, 2)
    check_same(actual, expected)
    for name in ("idle.weight", "idle.bias"):
        assert_close(actual["weights"][name], weights[name], rtol=0.0, atol=0.0, name=name)


@points(1)
@pytest.mark.parametrize("mode", ["train", "eval"])
def test_mode_and_randomness_belong_to_the_caller(probes, reference, rng, mode):
    """The model runs in the mode it is in, and the global random state moves by one forward pass only."""
    plan = plan_of(network={"dropout": 0.5}, seed=rng.seed(), eval=mode == "eval")
    actual, expected, _ = run_both(probes, reference, rng, plan, 2)
    check(actual["modes"] == [mode == "train"], "the mode of the model has changed")
    check_same(actual, expected)


@points(1)
def test_small_updates_are_kept(probes, reference, rng):
    """An update of a ten-thousandth of a weight must not be rounded away: weights are float32 between the steps too."""
    actual, expected, _ = run_both(probes, reference, rng, plan_of(options={"lr": 1e-4}), 3)
    assert_close(actual["weights"], expected["weights"], rtol=1e-4, name="weights")


@points(2)
def test_training_ends_near_full_precision(probes, reference, rng):
    """After 40 steps the loss is within two percent of full precision: float32 weights keep what bfloat16 would round away."""
    weights = weights_of(rng, (5, 8, 3))
    x = rng.randn(16, 5)
    batches = [(x, torch.tanh(x @ rng.randn(5, 3)) + 2)] * 40
    options = {"lr": 0.01}
    actual = probes.steps(plan_of(options=options), weights, batches)["losses"]
    plain = probes.on(reference).steps(plan_of(FP32, options=options), weights, batches)["losses"]
    assert_close(actual[-1], plain[-1], rtol=0.02, atol=0.0, name="loss after 40 steps (against full precision)")
