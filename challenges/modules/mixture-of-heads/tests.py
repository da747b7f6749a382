"""Hidden tests: a trunk with heads that come and go."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def built(solution, tasks, features=3, hidden=4, dtype=F32):
    model = solution.MixtureOfHeads(features, hidden)
    for name, size in tasks.items():
        model.add_task(name, size)
    if dtype is not F32:
        model.to(dtype)
    return model


def randomised(model, rng):
    """The model's state with random values; the model holds it, too."""
    state = {name: rng.randn(*value.shape, dtype=value.dtype) for name, value in model.state_dict().items()}
    model.load_state_dict({name: value.clone() for name, value in state.items()})
    return state


def count(model):
    return len(list(model.parameters()))


@sample
@points(1)
def test_tasks_in_order(solution):
    """tasks() lists the names in the order in which they came, and forward has the size of the task."""
    model = built(solution, {"depth": 1, "animal": 3})
    check(model.tasks() == ["depth", "animal"], "tasks() gives other names, or another order")
    check(tuple(model(torch.ones(5, 3), "animal").shape) == (5, 3), "the output has the wrong shape")


@sample
@points(1)
def test_what_is_registered(solution):
    """The trunk has two parameters and each task three, from the moment when it is added."""
    model = solution.MixtureOfHeads(3, 4)
    check(count(model) == 2, "a model without tasks should have the two parameters of the trunk")
    model.add_task("a", 2)
    check(count(model) == 5, "with one task, parameters() should give five tensors")
    model.add_task("b", 1)
    check(count(model) == 8, "with two tasks, parameters() should give eight tensors")
    check({"trunk.weight", "trunk.bias"} <= set(model.state_dict()), "the trunk has another name in state_dict()")


@sample
@points(1)
def test_total_at_the_start(solution):
    """While every s is 0, the total is the sum of the losses that are given."""
    model = built(solution, {"a": 1, "b": 1, "c": 1})
    found = model.total({"c": torch.tensor(2.0), "a": torch.tensor(0.5)})
    assert_close(found.detach(), torch.tensor(2.5))


@points(1)
def test_what_is_refused(solution):
    """A taken name is a ValueError; an unknown one is a KeyError in forward, remove_task and total."""
    model = built(solution, {"a": 1})
    with pytest.raises(ValueError):
        model.add_task("a", 1)
    with pytest.raises(KeyError):
        model.remove_task("b")
    with pytest.raises(KeyError):
        model(torch.ones(1, 3), "b")
    with pytest.raises(KeyError):
        model.total({"a": torch.tensor(1.0), "b": torch.tensor(1.0)})
    check(model.tasks() == ["a"] and count(model) == 5, "a refused call has changed the model")


@points(2)
@pytest.mark.parametrize("names", [("points.left", "points_left"), ("keys", "type"), ("forward", "ümlaut x")])
def test_any_name_will_do(solution, rng, names):
    """A name is any string that is not empty, whatever a container's keys may be; similar names stay apart."""
    model = built(solution, dict.fromkeys(names, 2))
    x = rng.randn(2, 3)
    outs = [model(x, name).detach() for name in names]
    check(not torch.equal(*outs), "two names lead to the same head")
    model.remove_task(names[0])
    check(model.tasks() == [names[1]], "after a removal another task is left")
    assert_close(model(x, names[1]).detach(), outs[1])


@points(1)
def test_similar_names_stay_apart(probes):
    """Two names never share a head, even if one of them contains what you put in place of a dot."""
    middles = ". .. _ __ ___ - / : | · dot _dot_ __dot__ <dot> %2E 2e".split()
    names = [f"a{middle}b" for middle in [*middles, " ", ""]]
    found = probes.added(names)
    check(found["names"] == names, "tasks() gives other names than those that were added, or one was refused")
    check(found["count"] == 2 + 3 * len(names), "two names lead to the same head")


@points(1)
def test_all_tasks_removed_in_a_loop(probes):
    """tasks() returns a new list, so a loop over it can remove every task."""
    check(probes.emptied(["a", "b", "c", "d"]) == [], "tasks are left after each of tasks() was removed")


@points(1)
def test_heads_are_layers_with_their_own_start(solution):
    """Heads start as linear layers do: random, bounded by the inverse root of hidden, different from one another."""
    model = built(solution, {"a": 6, "b": 6}, hidden=16)
    x = torch.ones(1, 3)
    with torch.no_grad():
        outs = [model(x, name) for name in ("a", "b")]
    check(not torch.equal(*outs), "two heads start equal")
    bound = 1 / 4
    tensors = [p.detach() for name, p in model.named_parameters() if not name.startswith("trunk")]
    check(all(bool((t.abs() <= bound).all()) for t in tensors), "a head starts with values that nn.Linear never has")
    check(sum(bool(t.any()) for t in tensors) == 4, "two heads should start with random weights and biases, s at 0")


def by_hand(model, rng, dtype):
    """A model with one task, its parameters by their shapes, and all of it as plain tensors."""
    named = dict(model.named_parameters())
    head = {len(p.shape): p for name, p in named.items() if not name.startswith("trunk.")}
    check(set(head) == {0, 1, 2}, "a task should have a matrix, a vector and a scalar")
    leaves = [named["trunk.weight"], named["trunk.bias"], head[2], head[1]]
    check(all(p.dtype == dtype for p in leaves), "a parameter has another dtype than the model")
    return leaves, head[0]


@points(2)
@EACH_DTYPE
def test_values_and_gradients(solution, rng, dtype):
    """The output of a head or a gradient is off: the trunk, then relu, then the head of the task."""
    model = built(solution, {"a": 2}, dtype=dtype)
    randomised(model, rng)
    leaves, _ = by_hand(model, rng, dtype)
    x, cotangent = rng.randn(5, 3, dtype=dtype), rng.randn(5, 2, dtype=dtype)
    w, b, v, c = (p.detach() for p in leaves)
    assert_same_gradients(lambda t: model(t, "a"), lambda t: F.linear(F.relu(F.linear(t, w, b)), v, c), (x,))
    copies = [p.detach().clone().requires_grad_() for p in leaves]
    expected = torch.autograd.grad(F.linear(F.relu(F.linear(x, *copies[:2])), *copies[2:]), copies, cotangent)
    found = torch.autograd.grad(model(x, "a"), leaves, cotangent, allow_unused=True)
    check(all(g is not None for g in found), "a parameter takes no part in the output")
    assert_close(list(found), list(expected), scale=8.0, name="gradients")


@points(2)
@EACH_DTYPE
def test_total_and_its_gradients(solution, rng, dtype):
    """total: exp(-s) weighs the loss and s is added, with gradients for both; the losses are not weighed by hand."""
    model = built(solution, {"a": 2}, dtype=dtype)
    randomised(model, rng)
    _, s = by_hand(model, rng, dtype)
    loss = rng.rand(dtype=dtype).requires_grad_()
    other, mine = s.detach().clone().requires_grad_(), model.total({"a": loss})
    theirs = torch.exp(-other) * loss + other
    assert_close(mine.detach(), theirs.detach(), name="total")
    found = torch.autograd.grad(mine, [s, loss], allow_unused=True)
    check(all(g is not None for g in found), "the total is detached from s or from the loss")
    assert_close(list(found), list(torch.autograd.grad(theirs, [other, loss])), name="gradients")


@points(2)
def test_total_of_several(solution, rng):
    """total: each loss meets the s of its own task, in whatever order, and other tasks count for nothing."""
    model = built(solution, {"a": 1, "b": 1, "c": 1}, dtype=F64)
    randomised(model, rng)
    one, other = rng.rand(dtype=F64), rng.rand(dtype=F64)
    alone = [model.total({"a": one}), model.total({"c": other})]
    for losses in ({"a": one, "c": other}, {"c": other, "a": one}):
        assert_close(model.total(losses).detach(), (alone[0] + alone[1]).detach(), name="total")
    zero = torch.zeros((), dtype=F64)
    seen = torch.stack([model.total({name: zero}).detach() for name in ("a", "b", "c")])
    scalars = [p.detach() for p in model.parameters() if p.dim() == 0]
    assert_close(seen.sort().values, torch.stack(scalars).sort().values, name="totals of a loss of zero")


@points(2)
def test_removal(solution, rng):
    """remove_task: its parameters are gone, the others answer as before, and the name is free again."""
    model = built(solution, {"a": 2, "b": 2, "c": 2})
    randomised(model, rng)
    x = rng.randn(4, 3)
    before = {name: (model(x, name).detach(), model.total({name: torch.ones(())}).detach()) for name in "abc"}
    model.remove_task("b")
    check(model.tasks() == ["a", "c"] and count(model) == 8, "something is left of a removed task, or too much is gone")
    for name in "ac":
        assert_close(model(x, name).detach(), before[name][0], name="output of another task")
        assert_close(model.total({name: torch.ones(())}).detach(), before[name][1], name="total of another task")
    model.add_task("b", 3)
    check(model.tasks() == ["a", "c", "b"], "a task that is added again comes last")
    check(tuple(model(x, "b").shape) == (4, 3), "a task that is added again has its new size")
    check(count(model) == 11, "a task that is added after a removal should bring three parameters of its own")
    for name in "ac":
        assert_close(model(x, name).detach(), before[name][0], name="output of another task after a new one came")
    assert_close(model.total({"b": torch.ones(())}).detach(), torch.ones(()), name="total of a new task")


@points(2)
def test_added_after_a_move_to_float64(solution, rng):
    """A task that is added to a float64 model is float64, scalar and head."""
    model = built(solution, {"a": 1})
    model.to(F64)
    model.add_task("b", 2)
    check(all(p.dtype == F64 for p in model.parameters()), "a parameter of a float64 model is not float64")
    check(model(rng.randn(2, 3, dtype=F64), "b").dtype == F64, "the output of a float64 model is not float64")


@points(2)
def test_added_on_the_meta_device(probes):
    """A task that is added to a model on another device is on that device."""
    found = probes.on_meta()
    check(found["moved"], "a parameter is on another device than the model")
    check(found["shape"] == (5, 2), "forward fails on the other device")


@points(2)
def test_other_parameters_stay(probes):
    """Adding and removing leaves the parameters of the others the same objects: an optimizer goes on with them."""
    found = probes.others()
    check(found["kept"] == 5, "parameters of the trunk or of another task were replaced")
    check(found["values"], "parameters of the trunk or of another task have other values")
    check(found["moved"], "an optimizer that was built before no longer trains the model")


@points(1)
def test_every_part_learns(probes, rng):
    """A step on the total changes all parameters of all tasks, also of one that was removed and added again."""
    found = probes.trained(["a", "b"], None, 1 + rng.rand(6, 3), 2)
    check(found["changed"] == [8, 8], "a step leaves a parameter as it was")
    check(found["names"] == ["b", "a"] or found["names"] == ["a", "b"], "other tasks than those that were added")


@points(2)
@pytest.mark.parametrize("removed", [False, True], ids=["all", "after-a-removal"])
def test_state_travels(solution, rng, removed):
    """A state fits a new object with the same tasks in the same order, and decides its outputs and totals."""
    model = built(solution, {"a": 2, "x.y": 1, "c": 2})
    randomised(model, rng)
    if removed:
        model.remove_task("a")
    left = {name: {"a": 2, "x.y": 1, "c": 2}[name] for name in model.tasks()}
    other, x = built(solution, left), rng.randn(3, 3)
    other.load_state_dict({name: value.clone() for name, value in model.state_dict().items()})
    for name in left:
        assert_close(other(x, name).detach(), model(x, name).detach(), name="output after loading")
        losses = {name: torch.ones(())}
        assert_close(other.total(losses).detach(), model.total(losses).detach(), name="total after loading")


@points(1)
def test_two_models_share_nothing(solution):
    """What is added to one model is not in another, and a name that is taken in one is free in the other."""
    first, second = solution.MixtureOfHeads(2, 2), solution.MixtureOfHeads(2, 2)
    first.add_task("a", 1)
    check(second.tasks() == [] and count(second) == 2, "a task of one model is in another")
    second.add_task("a", 1)
    check(second.tasks() == ["a"] and first.tasks() == ["a"], "two models should both have a task of that name")


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither x nor the dict of losses is written to."""
    model = built(solution, {"a": 2, "b": 1})
    assert_not_mutated(model, rng.randn(4, 3).t().t(), "a")
    assert_not_mutated(model.total, {"a": torch.ones(()), "b": torch.ones(())})
