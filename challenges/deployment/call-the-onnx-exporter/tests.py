"""Hidden tests: how the exporter is called, and what is left of the model."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

COUNTS = {"one": 1, "two": 2, "three": 3}
EACH_KIND = pytest.mark.parametrize("kind", list(COUNTS))
EACH_MODE = pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])


def example_of(rng, kind):
    n = rng.integer(2, 7)
    if kind == "three":
        return [rng.randn(n, 3), rng.randint(0, 10, (n, 5)), rng.randn(n, dtype=torch.float64)]
    return [rng.randn(n, 3) for _ in range(COUNTS[kind])]


def run(probes, rng, kind="one", *, path="model.onnx", training=True, other=(), frozen=(), fails=False):
    example = example_of(rng, kind)
    found = probes.exported(kind, example, path, training, list(other), list(frozen), fails)
    check(len(found["calls"]) == 1, "torch.onnx.export must be called once")
    return example, found["calls"][0], found


@sample
@points(1)
def test_eval_at_the_call(probes, rng):
    """A model in train mode is in eval mode when the exporter is called."""
    _, call, _ = run(probes, rng)
    check(call["training"] == [], "a module was in train mode at the call")


@sample
@points(1)
def test_names_of_two_inputs(probes, rng):
    """Two inputs are called input_0 and input_1, and the output is called output."""
    _, call, _ = run(probes, rng, "two")
    check(call["inputs"] == ["input_0", "input_1"], "the names of the inputs are off")
    check(call["outputs"] == ["output"], "the name of the output is off")


@sample
@points(1)
def test_free_batch(probes, rng):
    """Dimension 0 of the input is free."""
    _, call, _ = run(probes, rng)
    check(call["dims"] == [[0]], "another dimension than the first is free, or none is")


@points(2)
@EACH_KIND
@EACH_MODE
def test_mode_on_every_level(probes, rng, kind, training):
    """All modules are in eval mode at the call, whatever the model's mode was, and it has the model's state."""
    _, call, found = run(probes, rng, kind, training=training)
    check(call["training"] == [], "a module was in train mode at the call")
    check(call["state"], "the exported module has another state than the model")
    check(found["modes"], "the mode of a module is another one afterwards")


@points(2)
@EACH_MODE
@pytest.mark.parametrize("other", ["left.body.1.0", "right", "left.body"])
def test_mixed_modes(probes, rng, training, other):
    """One module was in another mode than the rest: at the call all are in eval mode, afterwards each is as before."""
    _, call, found = run(probes, rng, "two", training=training, other=[other])
    check(call["training"] == [], "a module was in train mode at the call")
    check(found["modes"], "the mode of a module is another one afterwards")


@points(2)
@EACH_MODE
def test_exporter_fails(probes, rng, training):
    """The exporter raises: the error comes through, and the model is as it was before."""
    _, _, found = run(probes, rng, "two", training=training, other=["left"], fails=True)
    check(found["passed"], "the error of the exporter did not come through")
    check(found["modes"], "the mode of a module is another one afterwards")


@points(1)
@pytest.mark.parametrize("fails", [False, True], ids=["done", "failed"])
def test_gradients_and_state(probes, rng, fails):
    """Which parameters require gradients, and the state, are as before, also if the exporter raises."""
    frozen = ["left.body.0.bias", "left.body.0.weight"]
    _, _, found = run(probes, rng, "two", frozen=frozen, fails=fails)
    check(found["frozen"] == frozen, "other parameters require gradients than before")
    check(found["state"], "the state of the model has changed")


@points(1)
@EACH_KIND
def test_arguments(probes, rng, kind):
    """The exporter gets the tensors of the example as a tuple, in their order and unchanged."""
    example, call, _ = run(probes, rng, kind)
    check(call["tuple"], "the arguments are no tuple")
    assert_close(call["args"], example, rtol=0.0, atol=0.0, name="arguments")


@points(2)
@EACH_KIND
def test_dynamic_shapes(probes, rng, kind):
    """The first dimension of each input is free, with one name for all, and no other dimension is."""
    _, call, _ = run(probes, rng, kind)
    check(call["dims"] == [[0]] * COUNTS[kind], "not exactly the first dimension of each input is free")
    check(len(call["names"]) == 1, "the inputs have the same batch: give it one name")
    check(call["names"] != [""], "the batch has no name: a hint such as Dim.AUTO leaves it to the exporter")


@points(1)
@EACH_KIND
def test_names(probes, rng, kind):
    """The inputs are numbered from 0, and the output is called output."""
    _, call, _ = run(probes, rng, kind)
    check(call["inputs"] == [f"input_{i}" for i in range(COUNTS[kind])], "the names of the inputs are off")
    check(call["outputs"] == ["output"], "the name of the output is off")


@points(2)
@EACH_KIND
def test_nothing_outdated(probes, rng, kind):
    """No retired argument is passed, the opset is not below 18, and the weights are exported."""
    _, call, _ = run(probes, rng, kind)
    check(call["stale"] == [], "a retired argument was passed")
    check(call["opset"] is None or call["opset"] >= 18, "the opset is below 18")
    check(call["dynamo"], "dynamo=False is the retired exporter")
    check(call["weights"], "the weights are left out")


@points(1)
@pytest.mark.parametrize("path", ["model.onnx", "out/v2/scorer.onnx"])
def test_file(probes, rng, path):
    """The model is written to the given path, once."""
    _, _, found = run(probes, rng, path=path)
    check(found["files"] == [path], "the file was written elsewhere, not at all, or more than once")
