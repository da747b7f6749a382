"""Hidden tests: four repaired training functions. Weights and losses are compared with those of a loop in the right order."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

NAMES = ["fit_line", "fit_classes", "refine", "fit_pair"]
SIZES = {
    "fit_line": [(3, 4, 2)],
    "fit_classes": [(3, 4, 5)],
    "refine": [(3, 4, 2)],
    "fit_pair": [(3, 4, 2), (2, 4, 3)],
}
OPTIMIZERS = {
    "SGD": {"lr": 0.2, "momentum": 0.9},
    "AdamW": {"lr": 0.05, "weight_decay": 0.1},
}
EACH = pytest.mark.parametrize("name", NAMES)


def drawn(rng, name, count=3, dtype=torch.float64, norm=False):
    """Weights of the networks, and batches of different sizes."""
    weights = []
    for inputs, hidden, outputs in SIZES[name]:
        shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,)}
        shapes |= {"norm.weight": (hidden,), "norm.bias": (hidden,)} if norm else {}
        shapes |= {"last.weight": (outputs, hidden), "last.bias": (outputs,)}
        values = {key: rng.randn(*shape, dtype=dtype) for key, shape in shapes.items()}
        if norm:
            values["norm.running_mean"] = torch.zeros(hidden, dtype=dtype)
            values["norm.running_var"] = torch.ones(hidden, dtype=dtype)
            values["norm.num_batches_tracked"] = torch.tensor(0)
        weights.append(values)
    batches = []
    for i in range(count):
        n = 4 + i
        x = rng.randn(n, 3, dtype=dtype)
        if name == "fit_pair":
            batches.append(x)
        elif name == "fit_classes":
            batches.append((x, rng.randint(0, 5, (n,))))
        else:
            batches.append((x, rng.randn(n, 2, dtype=dtype)))
    return weights, batches


def compare(probes, reference, name, plan, weights, batches):
    """What was found, after a check of losses and weights."""
    found = probes.train(name, plan, weights, batches)
    expected = probes.on(reference).train(name, plan, weights, batches)
    losses = found["losses"]
    check(type(losses) is list, "the function should return a list of losses")
    check(len(losses) == len(expected["losses"]), "one loss for each step is expected")
    check(all(type(loss) is float for loss in losses), "every loss should be a Python float")
    check(losses[:1] == [] or abs(losses[0] - expected["losses"][0]) < 1e-5, "the loss of the very first step is off")
    assert_close(found["weights"], expected["weights"], scale=16.0, name="weights")
    assert_close(losses, expected["losses"], scale=16.0, name="losses")
    return found


def plain(**changes):
    return {"optimizer": "SGD", "options": {"lr": 0.1}, **changes}


@sample
@points(1)
def test_one_batch_moves_the_line(probes, rng):
    """fit_line: one batch is one step, with the gradient of this batch."""
    weights = [{"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}]
    weights = [{key: torch.zeros(shape) for key, shape in weights[0].items()}]
    found = probes.train("fit_line", plain(), weights, [(torch.ones(2, 3), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))])
    assert_close(found["losses"], [7.5], name="losses")  # (1 + 4 + 9 + 16) / 4
    # all outputs are 0; the gradient of the last bias is the mean over both outputs: -(1 + 3) / 2 and -(2 + 4) / 2
    assert_close(found["weights"][0]["last.bias"], torch.tensor([0.2, 0.3]), name="last bias after a step of 0.1")


@sample
@points(1)
def test_classes_move(probes, rng):
    """fit_classes: the weights after a step are not those from before."""
    weights = [{"first.weight": (4, 3), "first.bias": (4,), "last.weight": (5, 4), "last.bias": (5,)}]
    weights = [{key: torch.zeros(shape) for key, shape in weights[0].items()}]
    found = probes.train("fit_classes", plain(), weights, [(torch.ones(2, 3), torch.tensor([0, 0]))])
    expected = torch.tensor([0.08, -0.02, -0.02, -0.02, -0.02])  # -0.1 * (1/5 - [1, 0, 0, 0, 0])
    assert_close(found["weights"][0]["last.bias"], expected, name="last bias after a step of 0.1")


@sample
@points(1)
def test_refine_takes_several_steps(probes, rng):
    """refine: three steps on one batch give three losses, each smaller than the one before."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = [{key: 0.1 * torch.ones(shape) for key, shape in shapes.items()}]
    found = probes.train("refine", plain(), weights, [(torch.ones(2, 3), torch.ones(2, 2))] * 3)
    losses = found["losses"]
    check(type(losses) is list and len(losses) == 3, "three losses are expected")
    check(losses[0] > losses[1] > losses[2], "the losses should fall from step to step")


@sample
@points(1)
def test_both_halves_move(probes, rng):
    """fit_pair: after a step, encoder and decoder are both different."""
    batches = [rng.randn(4, 3)]
    weights = []
    for inputs, hidden, outputs in [(3, 4, 2), (2, 4, 3)]:
        shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,)}
        shapes |= {"last.weight": (outputs, hidden), "last.bias": (outputs,)}
        weights.append({key: rng.randn(*shape) for key, shape in shapes.items()})
    found = probes.train("fit_pair", plain(), weights, batches)
    for half, before, after in zip(["encoder", "decoder"], weights, found["weights"], strict=True):
        check(not torch.equal(before["last.bias"], after["last.bias"]), f"the {half} has not moved")


@points(2)
@EACH
@pytest.mark.parametrize("optimizer", list(OPTIMIZERS))
def test_three_batches(probes, reference, rng, name, optimizer):
    """Weights or losses after three batches differ: each step must use the gradient of its own batch, once."""
    plan = {"optimizer": optimizer, "options": OPTIMIZERS[optimizer]}
    compare(probes, reference, name, plan, *drawn(rng, name))


@points(1)
@EACH
def test_stale_gradients(probes, reference, rng, name):
    """Gradients that lie in .grad when the function is called belong to somebody else's batch: they must not count."""
    compare(probes, reference, name, plain(stale=rng.uniform(1, 3)), *drawn(rng, name, 2))


@points(1)
@EACH
def test_float32(probes, reference, rng, name):
    """A float32 model trains in float32, and the losses are Python floats as well."""
    compare(probes, reference, name, plain(), *drawn(rng, name, 2, torch.float32))


@points(1)
@EACH
def test_calls_are_counted(probes, reference, rng, name):
    """Each step has one forward pass of every network and one step of every optimizer: no more, no less."""
    found = compare(probes, reference, name, plain(), *drawn(rng, name, 4))
    count, models = 4, len(SIZES[name])
    check(found["forwards"] == [count] * models, "the number of forward passes is not the number of steps")
    check(found["steps"] == [count] * models, "the number of optimizer steps is not the number of steps asked for")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_mode_is_the_callers(probes, reference, rng, training):
    """The mode of the model is the caller's choice: none of the functions changes it."""
    plan = plain(norm=True, training=training)
    for name in NAMES:
        found = compare(probes, reference, name, plan, *drawn(rng, name, 2, norm=True))
        check(all(mode is training for mode in found["training"]), "a function has changed the mode of the model")


@points(1)
@pytest.mark.parametrize("name", ["fit_line", "fit_classes", "fit_pair"])
def test_generator(probes, reference, rng, name):
    """batches may be a generator, which has no length and can be walked once."""
    compare(probes, reference, name, plain(generator=True), *drawn(rng, name, 3))


@points(1)
@pytest.mark.parametrize("name", ["fit_line", "fit_classes", "fit_pair"])
def test_no_batches(probes, reference, rng, name):
    """Without batches there is no step and no loss: an empty list, and weights as they were."""
    weights, _ = drawn(rng, name)
    found = compare(probes, reference, name, plain(), weights, [])
    assert_close(found["weights"], weights, rtol=0.0, atol=0.0, name="weights")


@points(1)
@pytest.mark.parametrize("name", NAMES)
def test_a_layer_in_another_mode(probes, reference, rng, name):
    """A caller may keep one layer in eval mode while the rest trains: each module stays in the mode it was in."""
    found = compare(probes, reference, name, plain(norm=True, norm_evaluates=True), *drawn(rng, name, 2, norm=True))
    check(found["training"] == found["modes"], "a layer is in another mode than before")


@points(1)
def test_no_steps(probes, reference, rng):
    """refine with steps=0 makes none: no loss, and weights as they were."""
    weights, batches = drawn(rng, "refine", 1)
    found = compare(probes, reference, "refine", plain(steps=0), weights, batches)
    assert_close(found["weights"], weights, rtol=0.0, atol=0.0, name="weights")
