"""Hidden tests: updates and targets that leave no trace in a graph."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
SHAPES = [(3, 4), (), (5,), (0, 2)]


def drawn(rng, dtype):
    """Values and gradients of four parameters; the third has no gradient."""
    values, grads = ([rng.randn(*s, dtype=dtype) for s in SHAPES] for _ in range(2))
    grads[2] = None
    return values, grads


def moved(values, grads, lr, decay):
    return [v if g is None else v - lr * (g + decay * v) for v, g in zip(values, grads, strict=True)]


@sample
@points(1)
def test_one_parameter(solution):
    """p ← p - lr · (grad + weight_decay · p): look at a single parameter first."""
    p = torch.tensor([1.0, -2.0], requires_grad=True)
    (p * torch.tensor([3.0, 4.0])).sum().backward()
    solution.sgd_step_([p], 0.1, weight_decay=0.5)
    assert_close(p.detach(), torch.tensor([0.65, -2.3]))
    check(p.is_leaf and p.requires_grad, "the parameter is no longer a leaf that requires a gradient")
    assert_close(p.grad, torch.tensor([3.0, 4.0]), name="gradient of p")


@sample
@points(1)
def test_ten_steps(solution, probes):
    """Ten steps towards a target: step, clear, backward, step must go on working."""
    found = probes.several_steps(torch.tensor([0.0, 8.0]), torch.tensor([4.0, 4.0]), 0.25, 0.0, 10)
    assert_close(found, torch.tensor([4.0, 4.0]) + torch.tensor([-4.0, 4.0]) / 2**10)


@sample
@points(1)
def test_two_targets(solution):
    """teacher_targets gives forward(batch) for each batch, in a list."""
    found = solution.teacher_targets(torch.exp, [torch.zeros(2), torch.ones(1)])
    assert_close(found, [torch.ones(2), torch.ones(1).exp()], name="targets")


@points(2)
@pytest.mark.parametrize("decay", [0.0, 0.3], ids=["plain", "with-decay"])
@EACH_DTYPE
def test_values(solution, probes, rng, dtype, decay):
    """sgd_step_: a value is off; every parameter that has a gradient moves by lr · (grad + weight_decay · p), others stay."""
    values, grads = drawn(rng, dtype)
    lr = rng.uniform(0.05, 0.5)
    left = probes.stepped(values, grads, lr, decay)
    assert_close(left["values"], moved(values, grads, lr, decay), name="parameters")
    check(left["returned"], "sgd_step_ returns something; a trailing underscore and None say that it edits in place")


@points(2)
def test_parameters_stay_the_same_leaves(solution, probes, rng):
    """sgd_step_: same memory, still a leaf without history, still asking for a gradient."""
    values, grads = drawn(rng, F32)
    left = probes.stepped(values, grads, 0.1, 0.1)
    check(left["same"], "a parameter lies elsewhere in memory now")
    check(left["leaves"], "a parameter has got a history")
    check(left["requires_grad"], "a parameter no longer requires a gradient")


@points(2)
@pytest.mark.parametrize("decay", [0.0, 0.2], ids=["plain", "with-decay"])
def test_gradients_are_left_alone(solution, probes, rng, decay):
    """sgd_step_: the gradients on the parameters are read, not changed, not cleared and not replaced."""
    values, grads = drawn(rng, F64)
    left = probes.stepped(values, grads, 0.1, decay)
    check(all(left["grads"]), "a .grad has other values than before the step")
    check(left["grad_objects"], "a .grad is another tensor than before the step")


@points(2)
def test_nothing_is_saved_for_backward(solution, probes, rng):
    """sgd_step_: with a learned lr, which counts as a number here, saved-tensor hooks must not fire."""
    values, grads = drawn(rng, F64)
    lr = torch.tensor(0.125, dtype=F64, requires_grad=True)
    left = probes.stepped(values, grads, lr, 0.5)
    assert_close(left["values"], moved(values, grads, 0.125, 0.5), name="parameters")
    check(left["saved"] == 0, "the step was recorded: tensors were saved for a backward that nobody will run")


@points(1)
def test_parameters_from_an_iterator(solution, probes, rng):
    """sgd_step_: model.parameters() is a generator; going through it twice finds nothing the second time."""
    values, grads = drawn(rng, F32)
    left = probes.stepped(values, grads, 0.5, 0.25, "iterator")
    assert_close(left["values"], moved(values, grads, 0.5, 0.25), name="parameters")


@points(1)
def test_gradient_with_a_history(solution, probes, rng):
    """sgd_step_: after backward(create_graph=True) the gradient has a history and keeps it; the parameter must not get one."""
    start = rng.randn(3, dtype=F64)
    left = probes.after_create_graph(start, 0.1)
    assert_close(left["value"], start - 0.1 * 3 * start**2, name="parameter")
    check(left["leaf"] and left["requires_grad"], "the parameter is no longer a leaf that requires a gradient")
    check(left["grad"], "the .grad has other values, has lost its history, or is another tensor than before the step")


@points(2)
def test_step_is_seen_by_autograd(solution, probes, rng):
    """sgd_step_: a pending backward that needs the old weights must be refused, not answered with a wrong gradient."""
    check(probes.step_before_backward(rng.randn(3)) == "refused", "the edit was hidden from autograd")


@points(1)
def test_no_parameters(solution):
    """sgd_step_: nothing to update is no error."""
    check(solution.sgd_step_([], 0.1) is None, "sgd_step_ of nothing returns something")


@points(2)
@pytest.mark.parametrize("recording", [True, False], ids=["recording-on", "recording-off"])
def test_grad_mode_is_put_back(solution, probes, rng, recording):
    """After both functions recording is on or off as it was before, also when forward raises; that error goes through."""
    left = probes.modes_around(rng.randn(3), recording)
    check(left["step"] is recording, "sgd_step_ leaves another grad mode behind")
    check(left["targets"] is recording, "teacher_targets leaves another grad mode behind")
    check(left["raised"], "teacher_targets swallows what forward raises")
    check(left["after an error"] is recording, "after an error in forward another grad mode is left behind")


def of_teacher(probes, rng, how="list", dtype=F64):
    weight, batches = rng.randn(3, 2, dtype=dtype), [rng.randn(n, 3, dtype=dtype) for n in (2, 1, 4)]
    left = probes.taught(weight, batches, how)
    check(left["type"] == "list", "teacher_targets does not return a list")
    return weight, batches, left


@points(2)
@pytest.mark.parametrize("how", ["list", "iterator"])
@EACH_DTYPE
def test_targets(solution, probes, rng, how, dtype):
    """teacher_targets: forward is called once with each batch, in order, and the results are given back as they are."""
    weight, batches, left = of_teacher(probes, rng, how, dtype)
    check(left["calls"], "forward was not called exactly once with each batch, in order")
    assert_close(left["values"], [torch.tanh(b @ weight) for b in batches], name="targets")


@points(2)
def test_targets_are_not_recorded(solution, probes, rng):
    """teacher_targets: detaching afterwards is too late, the teacher's activations have been saved by then."""
    _, _, left = of_teacher(probes, rng)
    check(not left["recorded"], "the teacher's forward pass was recorded")
    check(not left["history"], "a target has a history")
    check(left["teacher"], "the teacher's parameter no longer requires a gradient, or has been given one")


@points(3)
def test_student_can_train_on_targets(solution, probes, rng):
    """teacher_targets: a student's loss saves the targets for its backward; ordinary tensors allow that."""
    weight, batches, left = of_teacher(probes, rng)
    check(not left["inference"], "a target is an inference tensor")
    check(left["student"] == "trained", "the student's loss cannot be computed from these targets")
    expected = sum(b.T @ torch.tanh(b @ weight) for b in batches)
    assert_close(left["gradient"], expected, name="gradient of the student")


@points(1)
def test_no_batches(solution, probes, rng):
    """teacher_targets: no batch gives an empty list."""
    left = probes.taught(rng.randn(3, 2), [])
    check(left["type"] == "list" and left["values"] == [], "an empty list expected")
