"""Hidden tests: what is in the file, what a load does to the model, and what it reports."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EMPTY = {"missing": [], "unexpected": [], "mismatched": []}
NAMES = ["scale", "first.weight", "first.bias", "norm.weight", "norm.bias", "norm.running_mean", "norm.running_var"]
NAMES += ["norm.num_batches_tracked", "last.weight", "last.bias"]


def state_of(rng, sizes=(3, 5, 2), dtype=F64):
    """A full state of given.Network in the order of the model, buffers included."""
    inputs, hidden, outputs = sizes
    shapes = [(), (hidden, inputs), *[(hidden,)] * 5, None, (outputs, hidden), (outputs,)]
    state = {}
    for name, shape in zip(NAMES, shapes, strict=True):
        state[name] = torch.tensor(rng.integer(1, 90)) if shape is None else rng.randn(*shape, dtype=dtype)
    state["norm.running_var"] = 0.5 + rng.rand(hidden, dtype=dtype)
    return state


def output_of(state, x):
    """The network in eval mode, by its formula."""
    h = x @ state["first.weight"].T + state["first.bias"]
    h = (h - state["norm.running_mean"]) / (state["norm.running_var"] + 1e-5).sqrt()
    h = torch.tanh(h * state["norm.weight"] + state["norm.bias"])
    return state["scale"] * (h @ state["last.weight"].T + state["last.bias"])


def check_untouched(outcome, own):
    assert_close(outcome["state"], own, rtol=0.0, atol=0.0, name="state of the model after the refused load")
    check(outcome["modes"] == outcome["before"], "a refused load has changed the mode of a module")


def check_loaded(outcome, expected, report):
    check(outcome["error"] == "", f"load_weights raised {outcome['error']}")
    check(type(outcome["report"]) is dict, "load_weights must return a dict")
    assert_close(outcome["report"], report, name="report")
    assert_close(outcome["state"], expected, rtol=0.0, atol=0.0, name="state of the model")
    check(not any(outcome["modes"]), "every module must be in eval mode after a load")
    check(all(outcome["trainable"]), "a parameter no longer requires a gradient")


@sample
@points(1)
def test_there_and_back(probes, rng):
    """A model is saved and loaded into another one: nothing to report, eval mode, equal outputs."""
    state, other = state_of(rng), state_of(rng)
    x = rng.randn(4, 3, dtype=torch.float64)
    outcome = probes.round_trip(state, other, x, True)
    assert_close(outcome["report"], {"missing": [], "unexpected": [], "mismatched": []}, name="report")
    check(not any(outcome["modes"]), "the model must be in eval mode after loading")
    assert_close(outcome["y"], output_of(state, x), name="output of the loaded model")


@sample
@points(1)
def test_report(probes, rng):
    """One name is missing, one is unexpected, and one has another shape: with strict=False the report names them."""
    own = state_of(rng)
    stored = {name: tensor + 1 for name, tensor in own.items() if name != "scale"}
    stored["last.bias"] = torch.zeros(7, dtype=torch.float64)
    stored["extra"] = torch.zeros(1)
    outcome = probes.load(own, stored, False)
    check(outcome["error"] == "", "strict=False must not raise")
    assert_close(
        outcome["report"], {"missing": ["scale"], "unexpected": ["extra"], "mismatched": ["last.bias"]}, name="report"
    )
    assert_close(outcome["state"]["first.bias"], own["first.bias"] + 1, name="a tensor that fits")
    assert_close(outcome["state"]["last.bias"], own["last.bias"], name="a tensor with another shape in the file")


@sample
@points(1)
def test_strict_load_refuses(probes, rng):
    """A strict load of a file without one of the names raises RuntimeError and leaves the model as it was."""
    own = state_of(rng)
    stored = {name: tensor + 1 for name, tensor in own.items() if name != "last.bias"}
    outcome = probes.load(own, stored, True)
    check(outcome["error"] == "RuntimeError", "RuntimeError expected")
    check_untouched(outcome, own)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
def test_round_trip(probes, rng, dtype, strict):
    """Parameters and buffers come back bit for bit into the model's own tensors; the saved model keeps its mode."""
    state, other = state_of(rng, dtype=dtype), state_of(rng, dtype=dtype)
    x = rng.randn(4, 3, dtype=dtype)
    outcome = probes.round_trip(state, other, x, strict)
    check(outcome["returned"] is None, "save_weights returns nothing")
    assert_close(outcome["report"], EMPTY, name="report")
    assert_close(outcome["state"], state, rtol=0.0, atol=0.0, name="state of the loaded model")
    assert_close(outcome["y"], output_of(state, x), scale=8.0, name="output of the loaded model")
    check(outcome["same"], "the model has other parameter objects than before: its optimizer holds the old ones")
    check(not any(outcome["modes"]), "the loaded model must be in eval mode")
    check(all(outcome["saved_modes"]), "saving has changed the mode of the model")


@points(2)
def test_content_of_the_file(probes, rng):
    """The file must hold the state_dict and nothing else, buffers included, and be the only file in the folder."""
    state = state_of(rng)
    outcome = probes.content(state)
    check(outcome["files"] == ["weights.pt"], "the folder holds another file beside the weights")
    check(isinstance(outcome["read"], dict), "the file does not hold a dict")
    check(list(outcome["read"]) == list(state), "the file does not hold exactly the names of the state_dict")
    assert_close(outcome["read"], state, rtol=0.0, atol=0.0, name="content of the file")


@points(1)
def test_name_without_a_folder(probes, rng):
    """A path may be only a name in the current folder."""
    check(probes.bare_name(state_of(rng)) == ["weights.pt"], "the current folder must hold the file, and nothing else")


@points(2)
def test_save_that_fails(probes, rng):
    """A save that breaks off passes its exception on, and the file of the save before is still there and complete."""
    state = state_of(rng)
    outcome = probes.fails_half_way(state)
    check(outcome["error"] == "OSError", "the exception of a failed save must be passed on")
    check(isinstance(outcome["read"], dict), "the old file can no longer be read")
    assert_close(outcome["read"], state, rtol=0.0, atol=0.0, name="content of the old file")


@points(1)
@pytest.mark.parametrize("before", [True, False], ids=["over-a-file", "first"])
def test_nothing_is_left_behind(probes, rng, before):
    """A save that breaks off leaves no half-written file in the folder, under no name."""
    outcome = probes.fails_half_way(state_of(rng) if before else None)
    check(outcome["error"] == "OSError", "the exception of a failed save must be passed on")
    check(outcome["files"] == (["weights.pt"] if before else []), "a failed save has left a file behind")


@points(2)
def test_reader_of_the_old_file(probes, rng):
    """A program that has opened the old file reads it to its end: the new file takes its place in one step."""
    old, new = state_of(rng), state_of(rng)
    outcome = probes.opened_before(old, new)
    check(isinstance(outcome["seen"], dict), "the old file can no longer be read by a program that has opened it")
    assert_close(outcome["seen"], old, rtol=0.0, atol=0.0, name="content of the file that was open")
    assert_close(outcome["now"], new, rtol=0.0, atol=0.0, name="content of the new file")
    check(outcome["files"] == ["weights.pt"], "the folder holds another file beside the weights")


@points(2)
def test_file_from_a_gpu(probes, rng):
    """A file whose tensors were on a GPU loads on a machine that has none."""
    own, stored = state_of(rng), state_of(rng)
    check_loaded(probes.load(own, stored, True, "cuda:0"), stored, EMPTY)


@points(2)
@pytest.mark.parametrize("whole", [False, True], ids=["call", "module"])
def test_file_with_code(probes, rng, whole):
    """A file that holds an object must be refused: a pickle can call whatever it likes while it is loaded."""
    own = state_of(rng)
    outcome = probes.hostile(own, whole)
    check(not outcome["executed"], "loading has run code from the file")
    check(outcome["raised"], "a file that holds another object must raise")
    assert_close(outcome["state"], own, rtol=0.0, atol=0.0, name="state of the model")


def spoiled(rng, own, fault):
    """A stored state with one kind of fault, and its report. Faulty names lie at the end, behind many that fit."""
    stored, report = {name: 2 * tensor for name, tensor in own.items()}, {key: [] for key in EMPTY}
    if fault == "missing":
        gone = ["norm.running_var", "last.bias"]
        stored = {name: tensor for name, tensor in stored.items() if name not in gone}
        report["missing"] = gone
    elif fault == "unexpected":
        stored |= {"zeta": rng.randn(2), "alpha.weight": rng.randn(3)}
        report["unexpected"] = ["zeta", "alpha.weight"]
    else:
        stored["last.weight"] = own["last.weight"].T.contiguous()
        stored["last.bias"] = own["last.bias"][:1]
        report["mismatched"] = ["last.weight", "last.bias"]
    return stored, report


FAULTS = pytest.mark.parametrize("fault", ["missing", "unexpected", "mismatched"])


@points(2)
@FAULTS
def test_strict(probes, rng, fault):
    """A strict load that cannot be complete must change nothing: compare names and shapes before the first copy."""
    own = state_of(rng)
    outcome = probes.load(own, spoiled(rng, own, fault)[0], None if fault == "missing" else True)
    check(outcome["error"] == "RuntimeError", "a strict load with something to report must raise RuntimeError")
    check_untouched(outcome, own)


@points(2)
@FAULTS
def test_lenient(probes, rng, fault):
    """With strict=False all that fits is loaded and the rest stays; each name is in one list, in the order stated."""
    own = state_of(rng)
    stored, report = spoiled(rng, own, fault)
    faulty = report["missing"] + report["mismatched"]
    expected = {name: tensor if name in faulty else stored[name] for name, tensor in own.items()}
    check_loaded(probes.load(own, stored, False), expected, report)


@points(1)
def test_order_of_the_report(probes, rng):
    """Missing and mismatched names come in the order of the model, unexpected ones in the order of the file."""
    own = state_of(rng)
    stored = {name: own[name] for name in reversed(NAMES) if name not in ("scale", "first.bias", "norm.bias")}
    stored = {"zeta": torch.zeros(1), **stored, "alpha": torch.zeros(1)}
    stored["first.weight"], stored["last.weight"] = torch.zeros(1, dtype=F64), torch.zeros(2, dtype=F64)
    report = {
        "missing": ["scale", "first.bias", "norm.bias"],
        "unexpected": ["zeta", "alpha"],
        "mismatched": ["first.weight", "last.weight"],
    }
    check_loaded(probes.load(own, stored, False), own, report)


@points(1)
def test_one_number_is_not_a_vector(probes, rng):
    """A 0-d tensor and one of shape (1,) have different shapes, and a tensor of another rank is no fit either."""
    own = state_of(rng)
    stored = {**own, "scale": torch.full((1,), 7.0, dtype=F64), "first.weight": own["first.weight"].reshape(-1)}
    report = {**EMPTY, "mismatched": ["scale", "first.weight"]}
    check_loaded(probes.load(own, stored, False), own, report)


@points(1)
def test_nothing_fits(probes, rng):
    """A file without any name of the model: lenient, everything is missing and nothing changes; strict, it is refused."""
    own = state_of(rng)
    report = {"missing": NAMES, "unexpected": ["other"], "mismatched": []}
    check_loaded(probes.load(own, {"other": torch.ones(2)}, False), own, report)
    outcome = probes.load(own, {"other": torch.ones(2)}, True)
    check(outcome["error"] == "RuntimeError", "RuntimeError expected")
    check_untouched(outcome, own)


@points(1)
def test_other_dtype_in_the_file(probes, rng):
    """Values are converted to the dtype that the model has: a float32 file does not make a float64 model float32."""
    own, stored = state_of(rng), state_of(rng, dtype=F32)
    expected = {name: tensor.to(own[name].dtype) for name, tensor in stored.items()}
    check_loaded(probes.load(own, stored, True), expected, EMPTY)
