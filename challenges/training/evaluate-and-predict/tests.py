"""Hidden tests: numbers by their formula, and a model that notes how it was called."""

import pytest
import torch
from torch.nn import functional as F

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
MODES = {"training": {}, "evaluating": {"": False}, "mixed": {"norm": False}, "one-part": {"": False, "dropout": True}}


def state_of(rng, inputs=3, hidden=5, classes=4, dtype=F64):
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,), "norm.weight": (hidden,)}
    shapes |= {"norm.bias": (hidden,), "norm.running_mean": (hidden,), "norm.running_var": (hidden,)}
    shapes |= {"last.weight": (classes, hidden), "last.bias": (classes,)}
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    state["norm.running_var"] = 0.5 + rng.rand(hidden, dtype=dtype)
    return state | {"norm.num_batches_tracked": torch.tensor(rng.integer(1, 9))}


def logits_of(state, x):
    """The classifier in eval mode, by its formula."""
    h = x @ state["first.weight"].T + state["first.bias"]
    h = (h - state["norm.running_mean"]) / (state["norm.running_var"] + 1e-5).sqrt()
    h = torch.tanh(h * state["norm.weight"] + state["norm.bias"])
    return h @ state["last.weight"].T + state["last.bias"]


def batches_of(rng, sizes, dtype=F64):
    return [(rng.randn(n, 3, dtype=dtype), rng.randint(0, 4, (n,))) for n in sizes]


def check_no_trace(outcome, state):
    check(outcome["modes"], "a module has another mode than before the call")
    check(outcome["recording"], "autograd is still switched off after the call")
    assert_close(outcome["state"], state, rtol=0.0, atol=0.0, name="parameters and buffers after the call")
    kept = all(g is not None and bool((g == 3).all()) for g in outcome["gradients"])
    check(kept, "the gradients that the parameters had before are changed or gone")
    check(outcome["trainable"], "a parameter no longer requires a gradient")


def check_calls(outcome, sizes):
    check([size for size, _, _ in outcome["calls"]] == sizes, "the model was called on other batches than it should be")
    check(all(quiet for _, quiet, _ in outcome["calls"]), "a module was not in eval mode while the model worked")
    check(not any(recording for _, _, recording in outcome["calls"]), "autograd was recording while the model worked")


def check_evaluated(outcome, state, batches):
    x, y = torch.cat([x for x, _ in batches]), torch.cat([y for _, y in batches])
    logits = logits_of(state, x)
    check(outcome["error"] == "", f"evaluate raised {outcome['error']}")
    result = outcome["result"]
    check(type(result) is tuple and len(result) == 2, "evaluate must return a pair")
    check(all(type(number) is float for number in result), "both numbers must be Python floats")
    assert_close(result[0], F.cross_entropy(logits, y).item(), rtol=1e-5, name="mean loss")
    assert_close(result[1], (logits.argmax(1) == y).double().mean().item(), rtol=1e-6, atol=1e-7, name="accuracy")
    check_calls(outcome, [len(y) for _, y in batches])
    check(len(outcome["losses"]) == len(batches), "loss_fn must be called once for each batch")
    check(not any(outcome["losses"]), "the logits that loss_fn was given have a graph")
    check_no_trace(outcome, state)


SIMPLE = {
    "first.weight": torch.eye(2),
    "first.bias": torch.zeros(2),
    "norm.weight": torch.ones(2),
    "norm.bias": torch.zeros(2),
    "norm.running_mean": torch.zeros(2),
    "norm.running_var": torch.ones(2),
    "norm.num_batches_tracked": torch.tensor(1),
    "last.weight": torch.eye(2),
    "last.bias": torch.zeros(2),
}


@sample
@points(1)
def test_short_last_batch(probes):
    """Two samples are right and the single one of the last batch is wrong: an accuracy of two thirds."""
    batches = [
        (torch.tensor([[5.0, 0.0], [0.0, 5.0]]), torch.tensor([0, 1])),
        (torch.tensor([[5.0, 0.0]]), torch.tensor([1])),
    ]
    outcome = probes.evaluated(SIMPLE, {}, batches)
    check(outcome["error"] == "", f"evaluate raised {outcome['error']}")
    assert_close(outcome["result"][1], 2 / 3, rtol=1e-6, name="accuracy")
    logits = logits_of(SIMPLE, torch.cat([x for x, _ in batches]))
    expected = F.cross_entropy(logits, torch.tensor([0, 1, 1])).item()
    assert_close(outcome["result"][0], expected, rtol=1e-5, name="mean loss")


@sample
@points(1)
def test_five_samples_two_at_a_time(probes):
    """predict with batch_size=2 for five samples: three calls, and one tensor of five rows."""
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    outcome = probes.predicted(SIMPLE, {}, x, {"batch_size": 2})
    check(outcome["error"] == "", f"predict raised {outcome['error']}")
    assert_close(outcome["y"], logits_of(SIMPLE, x), scale=4.0, name="outputs")
    check([call[0] for call in outcome["calls"]] == [2, 2, 1], "the model should have seen 2, 2 and 1 samples")


@sample
@points(1)
def test_modes_come_back(probes):
    """A model in train mode whose norm layer was frozen in eval mode: both are so again after the evaluation."""
    outcome = probes.evaluated(SIMPLE, {"norm": False}, [(torch.ones(2, 2), torch.tensor([0, 1]))])
    check(outcome["modes"], "a module has another mode than before the call")
    check(all(quiet for _, quiet, _ in outcome["calls"]), "all modules must be in eval mode while the model works")


@points(3)
@pytest.mark.parametrize("modes", MODES)
def test_evaluate(probes, rng, modes):
    """Loss or accuracy is off, or something was left behind: eval mode, no graph, batches weighed by their size."""
    state, batches = state_of(rng), batches_of(rng, [rng.integer(4, 7), rng.integer(4, 7), 1])
    check_evaluated(probes.evaluated(state, MODES[modes], batches), state, batches)


@points(1)
def test_evaluate_float32(probes, rng):
    """A float32 model, batches of very different sizes: the numbers are Python floats all the same."""
    state, batches = state_of(rng, dtype=F32), batches_of(rng, [1, 17, 2], F32)
    check_evaluated(probes.evaluated(state, {}, batches), state, batches)


@points(1)
def test_second_evaluation(probes, rng):
    """Two evaluations on different data of the same shape: nothing of the first may be kept."""
    state = state_of(rng)
    for _ in range(2):
        batches = batches_of(rng, [3, 2])
        check_evaluated(probes.evaluated(state, {}, batches), state, batches)


@points(2)
@pytest.mark.parametrize("fault", ["model", "loss", "loader"])
@pytest.mark.parametrize("modes", ["mixed", "one-part"])
def test_evaluation_that_fails(probes, rng, fault, modes):
    """An exception goes through, and modes, recording and statistics are as before: put them back in a finally."""
    state = state_of(rng)
    outcome = probes.evaluated(state, MODES[modes], batches_of(rng, [3, 2, 2]), fault)
    check(outcome["error"] == "ArithmeticError", "the exception must go through as it is")
    check_no_trace(outcome, state)


@points(1)
def test_empty_loader(probes, rng):
    """A loader without a batch has no mean: ValueError, and the modes are as before."""
    state = state_of(rng)
    outcome = probes.evaluated(state, MODES["mixed"], [])
    check(outcome["error"] == "ValueError", "ValueError expected")
    check_no_trace(outcome, state)


@points(3)
@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_predict(probes, rng, modes, dtype):
    """Outputs differ from one large call in eval mode, or something was left behind: look at mode, order, last batch."""
    state, n = state_of(rng, dtype=dtype), rng.integer(7, 11)
    x, size = rng.randn(n, 3, dtype=dtype), rng.integer(2, 5)
    outcome = probes.predicted(state, MODES[modes], x, {"batch_size": size})
    check(outcome["error"] == "", f"predict raised {outcome['error']}")
    assert_close(outcome["y"], logits_of(state, x), scale=8.0, name="outputs")
    assert_close(outcome["x"], x, rtol=0.0, atol=0.0, name="x after the call")
    check_calls(outcome, [len(part) for part in x.split(size)])
    check_no_trace(outcome, state)


@points(2)
def test_ordinary_result(probes, rng):
    """The outputs have no graph, and are no inference tensors: a later training step must be able to use them."""
    state, x = state_of(rng), rng.randn(5, 3, dtype=F64)
    outcome = probes.predicted(state, {}, x, {"batch_size": 2})
    check(outcome["ordinary"], "the result has a history, or is a tensor of inference mode")


@points(1)
@pytest.mark.parametrize("n", [0, 1, 256, 257])
def test_sizes_around_the_default(probes, rng, n):
    """The default batch size is 256: 256 samples are one call, 257 are two, and none gives an empty tensor."""
    state, x = state_of(rng), rng.randn(n, 3, dtype=F64)
    outcome = probes.predicted(state, {}, x, {})
    check(outcome["error"] == "", f"predict raised {outcome['error']}")
    assert_close(outcome["y"], logits_of(state, x), scale=8.0, name="outputs")
    check_calls(outcome, [256, 1] if n == 257 else [n])


@points(1)
def test_prediction_that_fails(probes, rng):
    """If the model raises in predict, the exception goes through and each module has its mode back."""
    state = state_of(rng)
    outcome = probes.predicted(state, MODES["mixed"], rng.randn(6, 3, dtype=F64), {"batch_size": 2}, 2)
    check(outcome["error"] == "ArithmeticError", "the exception must go through as it is")
    check_no_trace(outcome, state)


@points(2)
def test_devices(probes, rng):
    """Model and loss must see their inputs on the device of the model, wherever the data were."""
    seen = probes.devices(rng.randn(4, 3), rng.randint(0, 3, (4,)))
    check(seen["evaluate"] == "meta", "evaluate did not move x to the device")
    check(seen.get("y") == "meta", "evaluate did not move y to the device")
    check(seen["predict"] == "meta", "predict did not move x to the device of the parameters")


@points(1)
def test_model_without_parameters(probes, rng):
    """A model without parameters has no device of its own: the batches stay where they are."""
    x = rng.randn(5, 2)
    assert_close(probes.without_parameters(x), 2 * x, name="outputs")


@points(1)
def test_recording_stays_off(probes, rng):
    """Called under no_grad, both functions must leave recording switched off."""
    x = rng.randn(4, 3, dtype=F64)
    check(probes.recording_off(state_of(rng), batches_of(rng, [3]), x), "recording was switched on")
