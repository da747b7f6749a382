"""Hidden tests: first_nonfinite. One fault of each kind is planted at a random place; the name must come back."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

NAN, INF = float("nan"), float("inf")
THREE = [["linear", 4, 5], ["tanh"], ["linear", 5, 6], ["tanh"], ["linear", 6, 3]]
LINEARS = [0, 2, 4]


def batch(rng, rows=3, dtype=torch.float32):
    return rng.randn(rows, 4, dtype=dtype), rng.randn(rows, 3, dtype=dtype)


def plan_of(rng, steps=THREE, **more):
    return {"seed": rng.seed(), "steps": steps, **more}


def check_said(answer, expected):
    check(type(answer) is str, f"a str must come back, got {type(answer).__name__[:40]}")
    kind = answer.partition(":")[0][:20]
    wanted = expected.partition(":")[0] or "nothing"
    check(kind == expected.partition(":")[0], f"the first culprit is of the kind {wanted!r}, the answer says {kind!r}")
    check(answer == expected, f"the kind {wanted!r} is right, the name is not")


@sample
@points(1)
def test_everything_is_finite(probes):
    """A step in which every number is finite gives the empty string."""
    plan = {"seed": 1, "steps": [["linear", 2, 3], ["tanh"], ["linear", 3, 1]]}
    check_said(probes.said(plan, torch.tensor([[1.0, -2.0], [0.5, 3.0]]), torch.tensor([[1.0], [2.0]])), "")


@sample
@points(1)
def test_logarithm_of_zero(probes):
    """The logarithm step is the first whose output is infinite: everything after it is bad because of it."""
    plan = {"seed": 1, "steps": [["linear", 2, 3], ["scale", 0.0], ["log"], ["linear", 3, 1]]}
    check_said(probes.said(plan, torch.tensor([[1.0, -2.0]]), torch.tensor([[1.0]])), "output:steps.2")


@sample
@points(1)
def test_infinite_label(probes):
    """The labels are inputs too: an infinite y is named before anything is computed."""
    plan = {"seed": 1, "steps": [["linear", 2, 1]]}
    check_said(probes.said(plan, torch.ones(2, 2), torch.tensor([[1.0], [INF]])), "input:y")


@points(1)
@pytest.mark.parametrize(("which", "value"), [("x", NAN), ("x", -INF), ("y", NAN)], ids=["x-nan", "x-inf", "y-nan"])
def test_bad_input(probes, rng, which, value):
    """One element of x or y is not finite: that is found before the model runs, NaN and both infinities alike."""
    x, y = batch(rng)
    chosen = x if which == "x" else y
    chosen.view(-1)[rng.integer(0, chosen.numel())] = value
    check_said(probes.said(plan_of(rng), x, y), f"input:{which}")


@points(2)
@pytest.mark.parametrize("value", [NAN, INF], ids=["nan", "inf"])
def test_bad_parameter(probes, rng, value):
    """A parameter that is not finite is named as such, with its name from named_parameters()."""
    name = f"steps.{rng.choice(LINEARS)}.{rng.choice(['weight', 'bias'])}"
    plan = plan_of(rng, plants=[[name, rng.integer(0, 3), value]])
    check_said(probes.said(plan, *batch(rng)), f"parameter:{name}")


@points(1)
def test_first_of_two_parameters(probes, rng):
    """Of two bad parameters the first in the order of named_parameters() is named."""
    plan = plan_of(rng, plants=[["steps.4.bias", 0, NAN], ["steps.2.weight", 3, INF]])
    check_said(probes.said(plan, *batch(rng)), "parameter:steps.2.weight")


@points(2)
@pytest.mark.parametrize("kind", ["nan", "minus-inf"])
def test_bad_output(probes, rng, kind):
    """The module whose output is the first bad one is named, wherever in the chain it stands."""
    place = rng.integer(1, 5)
    culprit = [["scale", 0.0], ["log"]] if kind == "minus-inf" else [["log", 1e4]]
    steps = [*THREE[:place], *culprit, *THREE[place:]]
    plan = plan_of(rng, steps)
    check_said(probes.said(plan, *batch(rng)), f"output:steps.{place + len(culprit) - 1}")


@points(1)
def test_the_model_itself(probes, rng):
    """When no submodule is to blame but the model's own forward is, the name after 'output:' is empty."""
    check_said(probes.said(plan_of(rng, factor=INF), *batch(rng)), "output:")


@points(1)
def test_order_of_the_search(probes, rng):
    """Inputs come before parameters, parameters before outputs: the earliest in the list of the statement is named."""
    x, y = batch(rng)
    steps = [["linear", 4, 3], ["log", 1e4]]
    plan = plan_of(rng, steps, plants=[["steps.0.bias", 1, NAN]])
    check_said(probes.said(plan, x, y), "parameter:steps.0.bias")
    y[1, 2] = NAN
    check_said(probes.said(plan, x, y), "input:y")


@points(1)
def test_outputs_within_containers(probes, rng):
    """A module may return tuples, lists and dicts: a bad tensor anywhere inside is that module's output."""
    plan = plan_of(rng, [["linear", 4, 5], ["several", INF], ["linear", 5, 3]])
    check_said(probes.said(plan, *batch(rng)), "output:steps.1")


@points(2)
def test_output_repaired_later(probes, rng):
    """A later step may repair a bad output in place: look at each output at the moment it is made."""
    plan = plan_of(rng, [["linear", 4, 5], ["log", 1e4], ["repair"], ["linear", 5, 3]])
    check_said(probes.said(plan, *batch(rng)), "output:steps.1")


@points(2)
def test_output_spoilt_later(probes, rng):
    """A later step may spoil a good output in place: the one that wrote the bad value is to blame."""
    plan = plan_of(rng, [["linear", 4, 5], ["spoil", rng.choice([NAN, INF])], ["linear", 5, 3]])
    check_said(probes.said(plan, *batch(rng)), "output:steps.1")


@points(1)
def test_step_used_twice(probes, rng):
    """A module may be called several times: its second output can be the first bad one."""
    steps = [["linear", 4, 4], ["scale", 1e20], ["tanh"], ["linear", 4, 3]]
    plan = plan_of(rng, steps, order=[0, 1, 1, 2, 3])
    x, y = batch(rng)
    check_said(probes.said(plan, x.abs() + 1, y), "output:steps.1")


@points(2)
def test_bad_loss(probes, rng):
    """Every output is finite and the loss is not: then the loss is the culprit."""
    x, y = batch(rng)
    y[rng.integer(0, 3), rng.integer(0, 3)] = 3e38
    check_said(probes.said(plan_of(rng), x, y), "loss")


@points(2)
def test_bad_gradient(probes, rng):
    """The loss is finite and a gradient is not: backward runs from the end, so the last bad parameter is the first culprit."""
    place = rng.integer(1, 5)
    plan = plan_of(rng, [*THREE[:place], ["root-of-zero"], *THREE[place:]])
    last = max(i for i in LINEARS if i < place)
    check_said(probes.said(plan, *batch(rng)), f"gradient:steps.{last}.bias")


@points(1)
def test_gradients_for_a_caller_without_grad(probes, rng):
    """Gradients are looked at even if the caller has switched them off with torch.no_grad()."""
    plan = plan_of(rng, [["linear", 4, 3], ["root-of-zero"]])
    check_said(probes.said_without_grad(plan, *batch(rng)), "gradient:steps.0.bias")


@points(1)
def test_parameter_without_gradient(probes, rng):
    """A parameter that the loss does not depend on has no gradient: that is no fault."""
    plan = plan_of(rng, [*THREE, ["linear", 2, 2]], order=[0, 1, 2, 3, 4])
    check_said(probes.said(plan, *batch(rng)), "")


@points(1)
def test_frozen_model(probes, rng):
    """With every parameter frozen there is no backward pass and nothing to find in it."""
    check_said(probes.said(plan_of(rng, [["linear", 4, 3], ["root-of-zero"]], frozen=True), *batch(rng)), "")


@points(1)
@pytest.mark.parametrize("case", ["all-unused", "frozen-but-input-is-not"])
def test_nothing_to_differentiate(probes, rng, case):
    """A loss may depend on no parameter at all, or on the input alone: then there is no gradient to look for."""
    if case == "all-unused":
        x, y = rng.randn(3, 4), rng.randn(3, 4)
        check_said(probes.said(plan_of(rng, [["linear", 4, 4]], order=[]), x, y), "")
    else:
        x, y = batch(rng)
        plan = plan_of(rng, [["linear", 4, 3], ["root-of-zero"]], frozen=True)
        check_said(probes.said(plan, x.requires_grad_(), y), "")


@points(2)
def test_very_large_is_finite(probes, rng):
    """Values of 3e38 are finite in float32: a sum over them is not, so ask each element."""
    steps = [["linear", 4, 5], ["tanh"], ["linear", 5, 3]]
    plan = plan_of(rng, steps, plants=[["steps.0.weight", None, 0.0], ["steps.0.bias", None, 3e38]], loss="l1")
    check_said(probes.said(plan, *batch(rng)), "")


@points(1)
def test_mask_of_minus_infinity(probes, rng):
    """Buffers are not searched: an attention mask holds -inf for good reason."""
    plan = plan_of(rng, [["linear", 4, 3], ["masked", 3], ["linear", 3, 3]])
    check_said(probes.said(plan, *batch(rng)), "")


@points(1)
@pytest.mark.parametrize("fault", ["none", "parameter"])
def test_token_ids_and_labels(probes, rng, fault):
    """Token ids and class labels are int64: whole numbers are always finite and must not be refused."""
    plants = [["steps.0.table.weight", 3, NAN]] if fault == "parameter" else []
    plan = plan_of(rng, [["tokens", 7, 4], ["linear", 4, 5]], loss="cross-entropy", plants=plants)
    expected = "parameter:steps.0.table.weight" if plants else ""
    check_said(probes.said(plan, rng.randint(0, 7, (3, 6)), rng.randint(0, 5, (3,))), expected)


@points(1)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16], ids=["float64", "bfloat16"])
def test_other_dtypes(probes, rng, dtype):
    """float64 and bfloat16 models are searched in their own dtype: 1e200 is finite in float64."""
    factor = 1e200 if dtype is torch.float64 else 1e30
    plan = plan_of(rng, [["linear", 4, 3], ["scale", factor], ["tanh"]], dtype=dtype)
    check_said(probes.said(plan, *batch(rng, dtype=dtype)), "")
    plan = plan_of(rng, [["linear", 4, 3], ["scale", INF], ["tanh"]], dtype=dtype)
    check_said(probes.said(plan, *batch(rng, dtype=dtype)), "output:steps.1")


LIVELY = [["linear", 4, 5], ["norm", 5], ["dropout", 0.5], ["relu-in-place"], ["linear", 5, 3]]
TRACES = {
    "finite": LIVELY,
    "bad-output": [*LIVELY[:4], ["log", 1e4], LIVELY[4]],
    "bad-gradient": [*LIVELY[:4], ["root-of-zero"], LIVELY[4]],
    "forward-raises": [*LIVELY[:4], ["refuse"], LIVELY[4]],
}
EACH_TRACE = pytest.mark.parametrize("trace", TRACES)


def left_behind(probes, rng, trace, **more):
    left = probes.left_behind(plan_of(rng, TRACES[trace], **more), *batch(rng, rows=4))
    if trace == "forward-raises":
        check(left["answer"] == "ValueError", "what the model's forward raises must go through to the caller")
    return left


@points(2)
@EACH_TRACE
def test_weights_and_buffers_stay(probes, rng, trace):
    """After the search parameters and buffers are as before: running statistics too, whatever was found."""
    left = left_behind(probes, rng, trace)
    assert_close(left["after"], left["before"], rtol=0.0, atol=0.0, name="state_dict()")


@points(1)
@pytest.mark.parametrize("trace", ["finite", "bad-gradient"])
def test_gradients_stay(probes, rng, trace):
    """The .grad of every parameter is as before: None stays None, and what somebody accumulated stays."""
    left = left_behind(probes, rng, trace)
    expected = [torch.full(shape, float(i)) if i % 2 else None for i, shape in enumerate(left["shapes"])]
    check(
        [g is None for g in left["gradients"]] == [g is None for g in expected],
        "a .grad has appeared or disappeared",
    )
    for actual, wanted in zip(left["gradients"], expected, strict=True):
        if wanted is not None:
            assert_close(actual, wanted, name=".grad")


@points(1)
@pytest.mark.parametrize("trace", ["finite", "bad-gradient"])
def test_gradients_of_the_input(probes, rng, trace):
    """The batch may require a gradient itself: none may be left on it, and recording is on or off as it was."""
    left = left_behind(probes, rng, trace, x_learns=True)
    check(not left["gradient_of_x"], "a gradient was left on x")
    check(left["grad_enabled"], "gradients are switched off afterwards")


@points(1)
@EACH_TRACE
def test_parts_keep_their_modes(probes, rng, trace):
    """A norm that was put into eval mode in a model that trains must run, and stay, in eval mode."""
    left = left_behind(probes, rng, trace, eval_parts=["steps.1"])
    check(left["modes_kept"], "the mode of a part of the model has changed")


@attested
@points(2)
@EACH_TRACE
def test_no_hooks_stay(probes, rng, trace):
    """No hook of the search is left, also when forward raised; the caller's own hook is still there."""
    hung, hanging = left_behind(probes, rng, trace)["hooks"]
    check(hanging <= hung, "hooks were left behind on the model")
    check(hanging >= hung, "a hook of the caller has been removed")


@points(1)
@pytest.mark.parametrize("trace", ["finite", "forward-raises"])
def test_random_state_stays(probes, rng, trace):
    """Dropout draws random numbers: the global random state must be as before the search."""
    check(left_behind(probes, rng, trace)["random"], "torch's global random state has moved")


@points(1)
@pytest.mark.parametrize("mode", ["train", "eval"])
def test_mode_stays(probes, rng, mode):
    """The model runs in the mode it is in (in train mode, batch norm refuses one row with a ValueError), and stays in it."""
    left = left_behind(probes, rng, "finite", eval=mode == "eval")
    check(left["modes"] == [mode == "train"], "the mode of the model has changed")
    check(left["requires_grad"] == [True], "requires_grad of a parameter has changed")
    # one row: BatchNorm in train mode refuses it, in eval mode it is fine
    steps = [["linear", 4, 5], ["norm", 5], ["linear", 5, 3]]
    if mode == "eval":
        check_said(probes.said(plan_of(rng, steps, eval=True), *batch(rng, rows=1)), "")
    else:
        with pytest.raises(ValueError):
            probes.said(plan_of(rng, steps), *batch(rng, rows=1))
