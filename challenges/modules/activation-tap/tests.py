"""Hidden tests: a tap that listens to modules."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def drawn(rng, dtype=F64):
    return [rng.randn(3, 3, dtype=dtype) for _ in range(2)], rng.randn(4, 3, dtype=dtype)


def by_hand(weights, x):
    """The steps of the model `deep`: after the first layer, after relu, after the second layer, and the output."""
    first = x @ weights[0].T + 0.25
    relu = first.clamp(min=0)
    second = relu @ weights[1].T + 0.25
    return first, relu, second, 5 * second


def names_of(found):
    return [name for name, _ in found["records"]]


def check_left_alone(found):
    check(found["hooks"] == 0, "a hook is left in the model")
    check(found["plain"], "a record has a history: it keeps the graph alive")
    check(found["eval"], "the mode of a module was changed")


@sample
@points(1)
def test_one_name(probes):
    """The output of one layer, by its name: a list with one tuple of name and value."""
    eye = torch.eye(3)
    found = probes.tapped("deep", [eye, eye], torch.ones(1, 3), ["body.0"], "", {})
    check(found["same"], "`with … as tap` should give the tap itself")
    check(names_of(found) == ["body.0"], "records should have one entry, for body.0")
    assert_close(found["records"][0][1], torch.full((1, 3), 1.25), name="value of body.0")


@sample
@points(1)
def test_no_hook_is_left(probes):
    """After the context the model has no hook of yours, and records nothing more."""
    eye = torch.eye(3)
    check(probes.tapped("deep", [eye, eye], torch.ones(1, 3), ["body"], "relu", {})["hooks"] == 0, "a hook is left")
    check(probes.lengths([eye, eye], torch.ones(1, 3))[:4] == [0, 1, 2, 2], "records grow outside of the context")


@sample
@points(1)
def test_replaced_output(probes):
    """A replacement of the last layer's output is what the model goes on with; the record is what the layer computed."""
    eye = torch.eye(3)
    found = probes.tapped("deep", [eye, eye], torch.ones(1, 3), ["body.1.1"], "", {"body.1.1": "zero"})
    assert_close(found["out"], torch.zeros(1, 3), name="output with a replacement")
    assert_close(found["records"][0][1], torch.full((1, 3), 1.5), name="record of the replaced layer")


@points(2)
@EACH_DTYPE
def test_values_are_copies(probes, rng, dtype):
    """A layer after the tapped one may work in place: the record must hold what was returned, in its dtype."""
    weights, x = drawn(rng, dtype)
    found = probes.tapped("deep", weights, x, ["body.1.1", "body.0"], "relu", {})
    first, relu, second, _ = by_hand(weights, x)
    check(names_of(found) == ["body.0", "body.1.0", "body.1.1"], "other names than those of the calls, in their order")
    assert_close([value for _, value in found["records"]], [first, relu, second], scale=4.0, name="values")
    check_left_alone(found)


@points(2)
def test_nothing_changes(probes, rng):
    """Listening alone changes neither outputs nor gradients."""
    weights, x = drawn(rng)
    found, free = (probes.tapped("deep", weights, x, [], types, {}) for types in ("module", ""))
    assert_close(found["out"], by_hand(weights, x)[-1], name="output")
    assert_close(found["out"], free["out"], name="output")
    assert_close(found["grad"], free["grad"], name="gradient of x")
    check(free["records"] == [], "a tap that was asked for nothing has records")
    check_left_alone(found)


@points(2)
def test_by_type(probes, rng):
    """types choose by isinstance, on all levels, the model itself included; containers return after their contents."""
    weights, x = drawn(rng)
    found = probes.tapped("deep", weights, x, [], "sequential", {})
    check(names_of(found) == ["body.1", "body"], "nn.Sequential should find body.1 and body, in the order of returning")
    every = probes.tapped("deep", weights, x, [], "module", {})
    names = ["body.0", "body.1.0", "body.1.1", "body.1", "body", "pair", "drop", ""]
    check(names_of(every) == names, "nn.Module should find every module once, the model itself under the empty name")
    assert_close(every["records"][-1][1], every["out"], name="value of the model itself")
    several = probes.tapped("twice", weights, x, [], "activation", {})
    check(names_of(several) == ["norm"], "types may be several classes")


@points(1)
def test_chosen_twice(probes, rng):
    """A module that is chosen by its name and by its type is recorded once for each call."""
    weights, x = drawn(rng)
    found = probes.tapped("deep", weights, x, ["body.0", "body.0"], "linear", {})
    check(names_of(found) == ["body.0", "body.1.1"], "each call of a module should have one entry")


@points(2)
@pytest.mark.parametrize("name", ["layer", "alias"])
def test_a_module_that_is_used_twice(probes, rng, name):
    """Two calls are two entries; a second name of the module chooses it as well, and the first is recorded."""
    weights, x = drawn(rng)
    found = probes.tapped("twice", weights, x, [name], "", {})
    check(names_of(found) == ["layer", "layer"], "two entries under the first name expected")
    once = x @ weights[0].T + 0.25
    twice = once.tanh() @ weights[0].T + 0.25
    assert_close([value for _, value in found["records"]], [once, twice], scale=4.0, name="values")


@points(2)
def test_outputs_that_are_no_tensors(probes, rng):
    """Dicts, tuples and lists keep their structure, with copies of their tensors; a number stays a number."""
    weights, x = drawn(rng)
    found = probes.tapped("deep", weights, x, ["pair"], "", {})
    second = by_hand(weights, x)[2]
    check(names_of(found) == ["pair"], "one entry for pair expected")
    expected = {"pair": (2 * second, [3 * second]), "n": 5}
    assert_close(found["records"][0][1], expected, scale=4.0, name="value of pair")
    check_left_alone(found)


@points(2)
@pytest.mark.parametrize("change", ["triple", "square"])
def test_replacements(probes, rng, change):
    """A replacement goes on to the next layer, gradients flow through it, and afterwards all is as before."""
    weights, x = drawn(rng)
    found = probes.tapped("deep", weights, x, ["body.1.0"], "", {"body.0": change})
    start = x.clone().requires_grad_()
    first = start @ weights[0].T + 0.25
    relu = (3 * first if change == "triple" else first * first).clamp(min=0)
    out = 5 * (relu @ weights[1].T + 0.25)
    out.sum().backward()
    assert_close(found["out"], out.detach(), scale=4.0, name="output with a replacement")
    assert_close(found["grad"], start.grad, scale=4.0, name="gradient of x")
    check(names_of(found) == ["body.1.0"], "a module that is replaced and not chosen has no record")
    assert_close(found["records"][0][1], relu.detach(), scale=4.0, name="value after the replaced layer")
    assert_close(found["after"], by_hand(weights, x)[-1], scale=4.0, name="output after the context")


@points(1)
def test_replaced_in_every_call(probes, rng):
    """A module that is used twice is replaced twice, also under its second name."""
    weights, x = drawn(rng)
    found = probes.tapped("twice", weights, x, ["layer"], "", {"alias": "triple"})
    once = x @ weights[0].T + 0.25
    twice = (3 * once).tanh() @ weights[0].T + 0.25
    assert_close([value for _, value in found["records"]], [once, twice], scale=4.0, name="values")
    assert_close(found["out"], 3 * twice, scale=4.0, name="output")


@points(1)
def test_entered_again(probes, rng):
    """Records grow with each pass in the context, stay readable after it, and start from nothing when it is entered again."""
    found = probes.lengths(*drawn(rng))
    check(found[:3] == [0, 1, 2], "each pass in the context should add one record")
    check(found[3] == 2, "after the context records should be what they were")
    check(found[4] == 1, "entering again should start a new list")
    check(
        found[5] == 2, "the list of the first time was emptied: a new one is started, and the old one stays what it is"
    )


@points(2)
@pytest.mark.parametrize("where", ["body", "model"])
def test_after_an_error(probes, where):
    """When the body or a module raises, the error goes through and no hook is left."""
    found = probes.after_an_error(where)
    check(found["raised"], "the error was swallowed")
    check(found["hooks"] == 0, "a hook is left in the model after an error")
    check(
        found["names"] == (["0", "1"] if where == "model" else []),
        "other records than those of the calls that returned",
    )


@points(1)
@pytest.mark.parametrize(("names", "replace"), [(["0", "nobody"], []), (["0"], ["nobody"]), (["0", "0.weight"], [])])
def test_unknown_names(probes, names, replace):
    """A name that no module has is a KeyError, and hooks that were set before it was noticed are removed."""
    found = probes.unknown(names, replace)
    check(found["error"] == "KeyError", "KeyError expected for an unknown name")
    check(found["hooks"] == 0, "a hook is left in the model after a KeyError")


@points(1)
def test_hooks_of_others_stay(probes):
    """Only your own hooks are removed."""
    check(probes.of_others() == [1, 2, 3], "somebody else's hook was removed or not called")


@points(1)
def test_two_taps_at_once(probes, rng):
    """Two taps on one model do not know of each other."""
    check(probes.two_taps(rng.randn(3, 2)) == [1, 2], "a tap records too much or too little beside another one")


@points(1)
def test_asked_for_nothing(probes, rng):
    """Names and types are optional: a tap without them listens to nothing."""
    check(probes.by_default(*drawn(rng)) == 0, "a tap that was asked for nothing has records")
