"""Hidden tests: a layer with a parameter, saved buffers and a buffer that is not saved."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_mode_matters,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
SAVED = ("scale", "running_mean", "running_var", "num_batches_tracked")
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_MODE = pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])


def state_for(rng, features, dtype=F32):
    return {
        "scale": rng.randn(features, dtype=dtype),
        "running_mean": rng.randn(features, dtype=dtype),
        "running_var": 0.5 + rng.rand(features, dtype=dtype),
        "num_batches_tracked": torch.tensor(rng.integer(1, 50)),
    }


def pair(solution, reference, rng, features, dtype=F32, **options):
    """The answer's layer and the reference's, with equal random state."""
    state = state_for(rng, features, dtype)
    modules = []
    for source in (solution, reference):
        module = source.RunningNorm(features, **options)
        if dtype is not F32:
            module.to(dtype)
        module.load_state_dict({name: value.clone() for name, value in state.items()})
        modules.append(module)
    return modules


@sample
@points(1)
def test_a_batch_of_two(solution):
    """Two rows in training: values are ±1 up to eps, and the running statistics move halfway."""
    norm = solution.RunningNorm(2, momentum=0.5)
    y = norm(torch.tensor([[1.0, 10.0], [3.0, 30.0]]))
    assert_close(y.detach(), torch.tensor([[-1.0, 1.0], [1.0, -1.0]]), atol=1e-4)
    state = norm.state_dict()
    check(set(SAVED) <= set(state), "a name is missing from state_dict()")
    assert_close(state["running_mean"], torch.tensor([1.0, 10.0]), name="running_mean")
    assert_close(state["running_var"], torch.tensor([1.5, 100.5]), name="running_var")
    assert_close(state["num_batches_tracked"], torch.tensor(1), name="num_batches_tracked")


@sample
@points(1)
def test_what_is_saved(solution):
    """state_dict() has exactly four names, with the shapes and dtypes of the statement."""
    state = solution.RunningNorm(3).state_dict()
    check(set(state) == set(SAVED), f"state_dict() has other names than {', '.join(SAVED)}")
    assert_close(state["scale"], torch.ones(3), name="scale")
    assert_close(state["running_mean"], torch.zeros(3), name="running_mean")
    assert_close(state["running_var"], torch.ones(3), name="running_var")
    assert_close(state["num_batches_tracked"], torch.tensor(0), name="num_batches_tracked")


@sample
@points(1)
def test_what_learns(solution):
    """parameters() gives the scale and nothing else."""
    names = [name for name, _ in solution.RunningNorm(3).named_parameters()]
    check(names == ["scale"], "parameters() should give the scale alone")


@points(2)
def test_what_is_a_buffer(solution):
    """named_buffers() has the running statistics, the counter and the signs."""
    buffers = dict(solution.RunningNorm(5).named_buffers())
    check(set(buffers) == {*SAVED[1:], "signs"}, "named_buffers() has other names than the statement's table")
    assert_close(buffers["signs"], torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0]), name="signs")


@points(2)
@EACH_DTYPE
@EACH_MODE
def test_values_and_gradients(solution, reference, rng, training, dtype):
    """The output or a gradient of x is off: batch statistics belong to the graph in training, running ones are constants."""
    mine, theirs = pair(solution, reference, rng, 4, dtype)
    mine.train(training), theirs.train(training)
    assert_same_gradients(mine, theirs, (3 * rng.randn(6, 4, dtype=dtype) + 1,), names=("x",))


@points(2)
@EACH_MODE
def test_gradient_of_the_scale(solution, reference, rng, training):
    """The scale gets no gradient, or a wrong one."""
    mine, theirs = pair(solution, reference, rng, 3, F64)
    x, cotangent = rng.randn(5, 3, dtype=F64), rng.randn(5, 3, dtype=F64)
    found = []
    for module in (mine, theirs):
        module.train(training)
        out = module(x)
        check(out.requires_grad, "the output is detached from the scale")
        found.append(torch.autograd.grad(out, list(module.parameters()), cotangent)[0])
    assert_close(*found, name="gradient of scale")


@points(2)
@pytest.mark.parametrize("momentum", [0.1, 0.75])
def test_running_statistics(solution, reference, rng, momentum):
    """After several batches the running statistics are off: mind which side momentum weighs, and N - 1 in the variance."""
    mine, theirs = pair(solution, reference, rng, 3, F64, momentum=momentum)
    for n in (2, 5, 3):
        x = 2 * rng.randn(n, 3, dtype=F64) + 1
        mine(x), theirs(x)
    expected = dict(theirs.state_dict())
    for name, value in mine.state_dict().items():
        assert_close(value, expected[name], name=name)


@points(1)
def test_evaluation_changes_nothing(solution, rng):
    """In evaluation the layer only reads its state."""
    module = solution.RunningNorm(3)
    module.load_state_dict(state_for(rng, 3))
    module.eval()
    before = {name: value.clone() for name, value in module.state_dict().items()}
    module(rng.randn(4, 3))
    assert_close(dict(module.state_dict()), before, name="state")


@points(1)
def test_one_row_in_evaluation(solution, reference, rng):
    """In evaluation a row does not depend on the others: one alone, or none, is no problem."""
    mine, theirs = pair(solution, reference, rng, 4)
    mine.eval(), theirs.eval()
    for n in (1, 0):
        x = rng.randn(n, 4)
        assert_close(mine(x), theirs(x))


@points(1)
def test_the_mode_matters(solution, rng):
    """train() uses the batch, eval() the running statistics."""
    assert_mode_matters(solution.RunningNorm(3), 2 * rng.randn(5, 3) + 3)


@points(1)
def test_eps_is_used(solution, reference, rng):
    """eps stands under the root, beside the variance; with a constant feature nothing else is there."""
    mine, theirs = pair(solution, reference, rng, 3, F64, eps=0.25)
    x = rng.randn(4, 3, dtype=F64)
    x[:, 1] = 2.0
    assert_close(mine(x), theirs(x))


@points(2)
def test_after_a_move_to_float64(solution):
    """After .to(torch.float64) everything floating is float64, and the counter still counts in int64."""
    module = solution.RunningNorm(4).to(F64)
    named = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    for name, tensor in named.items():
        expected = torch.int64 if name == "num_batches_tracked" else F64
        check(tensor.dtype == expected, f"{name} has the wrong dtype after the move")
    out = module(torch.arange(12, dtype=F64).reshape(3, 4))
    check(out.dtype == F64, "the output of a float64 layer is not float64")


@points(2)
def test_on_the_meta_device(solution, probes):
    """A move to another device takes every tensor along, the signs too: a plain attribute stays behind."""
    found = probes.on_meta(5)
    check(all(device == "meta" for device in found["devices"].values()), "a tensor has not moved")
    check(not found["problem"], "a forward pass on the meta device fails: something was left on the CPU, or made there")
    check(found["shapes"] == [(4, 5), (4, 5)], "the output on the meta device has the wrong shape or device")


@points(2)
def test_training_steps(solution, reference, probes, rng):
    """An optimizer over parameters() moves the scale alone, and tracking leaves no history on the buffers."""
    batches, weight = [rng.randn(4, 3) for _ in range(3)], rng.randn(3)
    found, expected = (p.after_steps(batches, weight, 0.05) for p in (probes, probes.on(reference)))
    check(not found["history"], "a running statistic has a history: it holds on to the batches' graphs")
    assert_close(found["state"], expected["state"], scale=4.0, name="state after three steps")


@points(2)
def test_state_travels(solution, rng):
    """A state that is loaded must decide the output, and come out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.RunningNorm(4), rng.randn(3, 4))


@points(1)
@EACH_MODE
def test_input_stays_as_it_is(solution, reference, rng, training):
    """x is not yours to write to; transposed input is ordinary input."""
    mine, theirs = pair(solution, reference, rng, 5)
    mine.train(training), theirs.train(training)
    x = rng.randn(5, 4).t()
    assert_close(assert_not_mutated(mine, x), theirs(x))
