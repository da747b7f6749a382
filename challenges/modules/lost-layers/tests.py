"""Hidden tests: layers in containers that register them."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def stack_shapes(width, depth):
    shapes = {"shift": (width,)}
    for i in range(depth):
        shapes |= {f"blocks.{i}.weight": (width, width), f"blocks.{i}.bias": (width,), f"gates.{i}": ()}
    return shapes


def heads_shapes(features, tasks):
    shapes = {}
    for name, size in tasks.items():
        shapes |= {f"heads.{name}.weight": (size, features), f"heads.{name}.bias": (size,)}
    return shapes


def check_names(module, shapes):
    """All names and shapes are there, in the state and among the parameters."""
    state = dict(module.state_dict())
    check(set(state) == set(shapes), "state_dict() has other names than the statement's table")
    check(all(tuple(state[n].shape) == s for n, s in shapes.items()), "an entry of state_dict() has another shape")
    names = [name for name, _ in module.named_parameters()]
    check(sorted(names) == sorted(shapes), "parameters() does not give each of these names once")
    return state


def drawn(rng, shapes, dtype=F32):
    """Random values for all names; the first gate is negative."""
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    return {name: -0.5 - value.abs() if name == "gates.0" else value for name, value in state.items()}


def loaded(module, state, shapes):
    check_names(module, shapes)
    dtype = next(iter(state.values())).dtype
    if dtype is not F32:
        module.to(dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


@sample
@points(1)
def test_names_of_the_stack(solution):
    """ResidualStack: blocks, gates and shift under the names of the table, all of them parameters."""
    check_names(solution.ResidualStack(3, 2), stack_shapes(3, 2))


@sample
@points(1)
def test_names_of_the_heads(solution):
    """TaskHeads: each task's layer under its own name, all of it parameters."""
    tasks = {"depth": 1, "normals": 3}
    check_names(solution.TaskHeads(4, tasks), heads_shapes(4, tasks))


@sample
@points(1)
def test_unknown_task(solution):
    """TaskHeads: a task that is not there raises KeyError, and those that are there have their own size."""
    heads = solution.TaskHeads(2, {"a": 1, "b": 3})
    check(tuple(heads(torch.ones(5, 2), "b").shape) == (5, 3), "the output of task b has the wrong shape")
    with pytest.raises(KeyError):
        heads(torch.ones(1, 2), "c")


@points(1)
def test_first_values(solution):
    """ResidualStack: gates start at 1, the shift at 0, and the blocks are drawn one by one, not copied."""
    state = check_names(solution.ResidualStack(4, 3), stack_shapes(4, 3))
    for i in range(3):
        assert_close(state[f"gates.{i}"], torch.ones(()), name="a gate")
    assert_close(state["shift"], torch.zeros(4), name="shift")
    weights = [state[f"blocks.{i}.weight"] for i in range(3)]
    check(all(bool(w.any()) for w in weights), "a block's weight is zero")
    check(not torch.equal(weights[0], weights[1]), "two blocks start with the same weight")
    check(not torch.equal(weights[1], weights[2]), "two blocks start with the same weight")


@points(2)
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_stack_values_and_gradients(solution, reference, rng, depth):
    """ResidualStack: the output or the gradient of x is off; a depth of 0 leaves the shift alone."""
    shapes = stack_shapes(4, depth)
    state = drawn(rng, shapes, F64)
    mine, theirs = (loaded(source.ResidualStack(4, depth), state, shapes) for source in (solution, reference))
    assert_same_gradients(mine, theirs, (rng.randn(3, 4, dtype=F64),), names=("x",))
    assert_same_gradients(mine, theirs, (rng.randn(2, 1, 4, dtype=F64),), names=("x",))


@points(2)
@EACH_DTYPE
def test_stack_parameter_gradients(solution, reference, rng, dtype):
    """ResidualStack: every block, every gate and the shift must get its gradient."""
    shapes = stack_shapes(3, 3)
    state, x, cotangent = drawn(rng, shapes, dtype), rng.randn(4, 3, dtype=dtype), rng.randn(4, 3, dtype=dtype)
    found = []
    for source in (solution, reference):
        named = dict(loaded(stack := source.ResidualStack(3, 3), state, shapes).named_parameters())
        out = stack(x)
        check(out.dtype == dtype, "the output has another dtype than the module")
        grads = torch.autograd.grad(out, [named[name] for name in shapes], cotangent, allow_unused=True)
        check(all(g is not None for g in grads), "a parameter takes no part in the output")
        found.append(dict(zip(shapes, grads, strict=True)))
    assert_close(*found, scale=8.0, name="gradients")


@points(2)
@EACH_DTYPE
def test_heads_values_and_gradients(solution, reference, rng, dtype):
    """TaskHeads: an output or a gradient of x is off, or a task is answered by another one's layer."""
    tasks = {"first": 2, "second": 2, "third": 1}
    shapes = heads_shapes(3, tasks)
    state = drawn(rng, shapes, dtype)
    mine, theirs = (loaded(source.TaskHeads(3, tasks), state, shapes) for source in (solution, reference))
    for task in ("second", "third", "first"):
        x = (rng.randn(4, 3, dtype=dtype),)
        assert_same_gradients(lambda x, t=task: mine(x, t), lambda x, t=task: theirs(x, t), x, names=("x",))


@points(1)
def test_no_tasks(solution):
    """TaskHeads: without tasks there is nothing to learn, and every name is unknown."""
    heads = solution.TaskHeads(2, {})
    check_names(heads, {})
    with pytest.raises(KeyError):
        heads(torch.ones(1, 2), "a")


@points(2)
def test_a_step_changes_every_block(solution, reference, probes, rng):
    """ResidualStack: an optimizer built from parameters() must reach every block, every gate and the shift."""
    shapes = stack_shapes(3, 3)
    check_names(solution.ResidualStack(3, 3), shapes)
    state, x = drawn(rng, shapes), rng.randn(6, 3)
    state = {name: 0.5 * value for name, value in state.items()}
    found, expected = (p.stack_after_a_step(3, 3, state, x, 0.01) for p in (probes, probes.on(reference)))
    assert_close(found, expected, scale=8.0, name="state after a step")


@points(2)
def test_a_step_changes_one_head(solution, reference, probes, rng):
    """TaskHeads: a step on one task changes that task's layer and leaves the others alone."""
    tasks = {"a": 2, "b": 1, "c": 2}
    shapes = heads_shapes(3, tasks)
    check_names(solution.TaskHeads(3, tasks), shapes)
    args = (3, tasks, drawn(rng, shapes), rng.randn(5, 3), rng.choice(["a", "b", "c"]), 0.05)
    found, expected = (p.heads_after_a_step(*args) for p in (probes, probes.on(reference)))
    assert_close(found, expected, scale=8.0, name="state after a step")


@points(2)
def test_on_the_meta_device(probes):
    """A move to another device must take every layer and every gate along."""
    found = probes.on_meta()
    check(found["stack"] == (5, 3), "ResidualStack: forward fails on the meta device, or gives a tensor elsewhere")
    check(found["heads"] == (5, 4), "TaskHeads: forward fails on the meta device, or gives a tensor elsewhere")


@points(1)
def test_input_stays_as_it_is(solution, reference, rng):
    """x is not written to, and may be transposed."""
    shapes = stack_shapes(4, 2)
    state = drawn(rng, shapes)
    mine, theirs = (loaded(source.ResidualStack(4, 2), state, shapes) for source in (solution, reference))
    x = rng.randn(4, 3).t()
    assert_close(assert_not_mutated(mine, x), theirs(x))
