"""Hidden tests: a gradient monitor, and a gradient that is scaled on one path."""

from itertools import pairwise

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
BLOCKS = ["body.first", "body.second", "head"]


def weights_for(rng, dtype, sizes=(4, 4, 5, 2)):
    return [0.5 * rng.randn(b, a, dtype=dtype) for a, b in pairwise(sizes)]


def expected_of(weights, x, again, wanted):
    """Output, and the records of one pass, from torch.autograd.grad."""
    values, order = [x.clone().requires_grad_()], ["body.first"] * (1 + again) + ["body.second", "head"]
    for name in order:
        weight = weights[BLOCKS.index(name)]
        values.append(3 * torch.tanh(values[-1] @ weight.T))
    norms = [g.norm().item() for g in torch.autograd.grad(values[-1].square().sum(), values)]
    records = [(name, norms[i], norms[i + 1]) for i, name in enumerate(order)]
    if not wanted:
        records[0] = (records[0][0], None, records[0][2])
    return values[-1].detach(), records[::-1]


def check_records(found, expected):
    check(all(type(r) is tuple and len(r) == 3 for r in found), "a record should be a tuple of three")
    check(
        [r[0] for r in found] == [r[0] for r in expected], "the names of the records differ, or their order or number"
    )
    check(
        [r[1] is None for r in found] == [r[1] is None for r in expected], "None stands for an input without a gradient"
    )
    check(all(type(v) is float for r in found for v in r[1:] if v is not None), "norms should be Python floats")
    for i, name in ((1, "input norms"), (2, "output norms")):
        pairs = [(f[i], e[i]) for f, e in zip(found, expected, strict=True) if e[i] is not None]
        assert_close([f for f, _ in pairs], [e for _, e in pairs], rtol=1e-4, atol=1e-6, name=name)


@sample
@points(1)
def test_one_pass(probes):
    """A pass through two blocks and a head gives three records, the head's first."""
    weights, x = [torch.eye(2), torch.eye(2), torch.ones(1, 2)], torch.tensor([[0.5, -0.25]])
    found = probes.watched(weights, x, BLOCKS, True, False, 1)
    check_records(found["records"], expected_of(weights, x, False, True)[1])


@sample
@points(1)
def test_no_future_warning(probes):
    """The monitor must not use a deprecated hook."""
    found = probes.watched([torch.eye(2), torch.eye(2), torch.ones(1, 2)], torch.ones(1, 2), BLOCKS, True, False, 1)
    check(found["future"] == [], "a FutureWarning was issued")


@sample
@points(1)
def test_one_of_two_paths(probes):
    """scale_grad: the gradient is halved on one path, and whole on the others."""
    found = probes.paths(torch.zeros(2), 0.5, True)
    assert_close(found["values"], torch.zeros(2), name="values")
    assert_close(found["first"], torch.full((2,), 2 + 2.5 + 10), name="gradient")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("wanted", [True, False], ids=["input-grad", "data"])
def test_norms(probes, rng, wanted, dtype):
    """A norm differs from that of torch.autograd.grad, or a record has another module's name."""
    weights, x = weights_for(rng, dtype), rng.randn(3, 4, dtype=dtype)
    found = probes.watched(weights, x, BLOCKS, wanted, False, 1)
    check_records(found["records"], expected_of(weights, x, False, wanted)[1])


@points(2)
@pytest.mark.parametrize("names", [["head"], ["body.second", "body.first"], []], ids=["one", "two", "none"])
def test_a_choice_of_names(probes, rng, names):
    """Modules whose names are in the list are watched, and no others; the order of the list does not matter."""
    weights, x = weights_for(rng, F64), rng.randn(2, 3, 4, dtype=F64)
    found = probes.watched(weights, x, names, True, False, 1)
    expected = [r for r in expected_of(weights, x, False, True)[1] if r[0] in names]
    check_records(found["records"], expected)


@points(2)
@pytest.mark.parametrize("passes", [1, 3])
def test_called_twice(probes, rng, passes):
    """A module that is called twice gives two records, and each pass adds its own; passes without recording add none."""
    weights, x = weights_for(rng, F64), rng.randn(3, 4, dtype=F64)
    found = probes.watched(weights, x, BLOCKS, True, True, passes)
    check_records(found["records"], expected_of(weights, x, True, True)[1] * passes)


@points(1)
def test_the_whole_model(probes, rng):
    """The model itself has the empty name and can be watched too."""
    weights, x = weights_for(rng, F64), rng.randn(3, 4, dtype=F64)
    found = probes.watched(weights, x, [""], True, False, 1)
    records = expected_of(weights, x, False, True)[1]
    check_records(found["records"], [("", records[-1][1], records[0][2])])


@points(2)
@EACH_DTYPE
def test_nothing_is_changed(probes, rng, dtype):
    """Outputs and gradients are the same with and without the monitor."""
    weights, x = weights_for(rng, dtype), rng.randn(3, 4, dtype=dtype)
    found, plain = (probes.watched(weights, x, BLOCKS, True, True, 2, on) for on in (True, False))
    assert_close(found["out"], plain["out"], name="output")
    assert_close(found["grads"], plain["grads"], name="gradients")
    check(found["future"] == [], "a FutureWarning was issued")


@points(2)
def test_removed(probes, rng):
    """After remove() nothing is recorded, and the hooks of others are still there and still fire."""
    weights, x = weights_for(rng, F64), rng.randn(3, 4, dtype=F64)
    found = probes.watched(weights, x, ["", *BLOCKS], True, False, 2)
    check(found["kept"] == found["records"] and len(found["kept"]) == 8, "records were added or lost after remove()")
    check(sum(found["hooks"].values()) == found["hooks"]["head"] == 1, "backward hooks: one should be left, the user's")
    check(
        sum(found["forward_hooks"].values()) == found["forward_hooks"]["head"] == 1, "forward hooks: one should be left"
    )
    check(found["calls"].count("backward") == 3, "the user's own backward hook did not fire in each pass")


@points(2)
@EACH_DTYPE
def test_past_a_skip(probes, rng, dtype):
    """The input is used beside the module too: its norm counts what comes back through the module, and nothing else."""
    (weight,), x = weights_for(rng, dtype, (4, 4)), rng.randn(3, 4, dtype=dtype).requires_grad_()
    out = 3 * torch.tanh(x @ weight.T)
    down = (2 * (x + out)).detach()
    (into,) = torch.autograd.grad(out, x, down)
    check_records(probes.past_a_skip(weight, x.detach()), [("block", into.norm().item(), down.norm().item())])


@points(1)
def test_two_monitors(probes, rng):
    """Two monitors of one model are independent of each other."""
    found = probes.two_monitors(weights_for(rng, F64), rng.randn(3, 4, dtype=F64))
    check(found == {"one": 1, "two": 2}, "removing one monitor should not stop the other")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("leaf", [True, False], ids=["leaf", "computed"])
@pytest.mark.parametrize("factor", [0.3, -1.0, 0, 7], ids=["part", "reversed", "stopped", "seven"])
def test_scaled_gradients(probes, rng, factor, leaf, dtype):
    """scale_grad: a value differs, or the factor does not act on its own path and on this path alone."""
    t = rng.randn(40, 3, dtype=dtype)  # many values, so that an answer which rounds differs in one of them
    found = probes.paths(t, factor, leaf)
    assert_close(found["values"], t, rtol=0.0, atol=0.0, name="values")
    assert_close(found["first"], 2 + factor * 5 * t.cos() + 10, scale=4.0, name="gradient")
    assert_close(found["later"], torch.full_like(t, 7.0), name="gradient of a later loss")


@points(1)
@EACH_DTYPE
def test_no_history(probes, rng, dtype):
    """scale_grad: without a gradient to scale, or with recording off, the result has the values of t."""
    t = rng.randn(4, 3, dtype=dtype)
    found = probes.without_history(t)
    check(not found["history"], "t needs no gradient, and the result asks for one")
    assert_close(found["values"], [t, t], rtol=0.0, atol=0.0, name="values")


@points(1)
def test_through_a_call(solution, rng):
    """scale_grad: values of many sizes come out exactly, and t is not written to."""
    t = rng.randn(100, dtype=F64) * 10 ** (3 * rng.randn(100, dtype=F64)).clamp(-9, 9)
    t[7] = -3e6
    leaf = t.clone().requires_grad_()
    out = solution.scale_grad(leaf, 0.37)
    assert_close(out.detach(), t, rtol=0.0, atol=0.0, name="values")
    (grad,) = torch.autograd.grad(out.sum(), leaf)
    assert_close(grad, torch.full_like(t, 0.37), name="gradient")
    stopped = solution.scale_grad(leaf, 0)
    check(stopped.requires_grad, "with a factor of 0 the gradient is zero, and not missing")
    (grad,) = torch.autograd.grad(stopped.sum(), leaf)
    assert_close(grad, torch.zeros_like(t), name="gradient for a factor of 0")
    assert_not_mutated(solution.scale_grad, t, 0.37)
