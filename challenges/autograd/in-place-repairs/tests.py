"""Hidden tests: four functions that write in place, repaired."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def arranged(rng, layout, dtype):
    """A floating tensor of one of several shapes and memory layouts."""
    return {
        "matrix": lambda: rng.randn(3, 4, dtype=dtype),
        "one-number": lambda: rng.randn((), dtype=dtype),
        "transposed": lambda: rng.randn(5, 3, dtype=dtype).t(),
        "strided": lambda: rng.randn(4, 6, dtype=dtype)[:, ::2],
        "empty": lambda: rng.randn(0, 4, dtype=dtype),
    }[layout]()


@sample
@points(1)
def test_gate_of_three_points(solution):
    """The gate's backward must run, and its gradient is 2σ(1 - σ)."""
    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    gate = solution.centred_gate(x)
    s = torch.sigmoid(x.detach())
    assert_close(gate.detach(), 2 * s - 1)
    gate.sum().backward()
    assert_close(x.grad, 2 * s * (1 - s), name="gradient of x")


@sample
@points(1)
def test_smooth_of_three_steps(solution):
    """With a decay that is learned, the states of all steps and the decay's gradient must be right."""
    x = torch.tensor([[1.0], [2.0], [4.0]], requires_grad=True)
    decay = torch.tensor(0.5, requires_grad=True)
    states = solution.smooth(x, decay)
    assert_close(states.detach(), torch.tensor([[1.0], [2.5], [5.25]]))
    states[-1].sum().backward()  # the last state is 4 + 2d + d², so its slope in d is 2 + 2d
    assert_close(x.grad, torch.tensor([[0.25], [0.5], [1.0]]), name="gradient of x")
    assert_close(decay.grad, torch.tensor(3.0), name="gradient of decay")


@sample
@points(1)
def test_decay_of_one_leaf(solution):
    """A parameter must come out smaller, and still be a leaf that requires a gradient."""
    p = torch.tensor([4.0, -8.0], requires_grad=True)
    solution.decay_([p], 0.25)
    assert_close(p.detach(), torch.tensor([3.0, -6.0]))
    check(p.is_leaf and p.requires_grad, "the parameter is no longer a leaf that requires a gradient")


@sample
@points(1)
def test_track_of_one_batch(solution):
    """The running mean must move in place, and must not become part of the batch's graph."""
    mean = torch.tensor([0.0, 10.0])
    batch = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    solution.track_(mean, batch, 0.5)
    assert_close(mean.detach(), torch.tensor([1.0, 6.5]))
    check(not mean.requires_grad, "the running mean requires a gradient now")


@points(1)
@pytest.mark.parametrize("layout", ["matrix", "one-number", "transposed", "strided", "empty"])
@EACH_DTYPE
def test_gate_gradients(solution, reference, rng, dtype, layout):
    """centred_gate: its gradient is computed from the sigmoid's output, so that output must still be there in backward."""
    assert_same_gradients(solution.centred_gate, reference.centred_gate, (arranged(rng, layout, dtype),))


@points(1)
def test_gate_leaves_its_input_alone(solution, rng):
    """centred_gate: the caller's x is not yours to write to."""
    assert_not_mutated(solution.centred_gate, rng.randn(3, 4))


DECAYS = {"one-for-all": (), "per-feature": (3,)}


@points(2)
@pytest.mark.parametrize("shape", DECAYS.values(), ids=DECAYS.keys())
@EACH_DTYPE
def test_smooth_gradients(solution, reference, rng, dtype, shape):
    """smooth: the gradient of the decay needs the state before each step, for every step."""
    inputs = (rng.randn(6, 3, dtype=dtype), 0.4 + 0.5 * rng.rand(*shape, dtype=dtype))
    assert_same_gradients(solution.smooth, reference.smooth, inputs, names=("x", "decay"))


@points(1)
def test_smooth_agrees_with_differences(solution, rng):
    """smooth: the gradients do not agree with finite differences in float64."""
    assert_gradcheck(solution.smooth, (rng.randn(4, 2, dtype=F64), rng.rand(2, dtype=F64)))


@points(1)
@pytest.mark.parametrize("steps", [0, 1], ids=["no-step", "one-step"])
def test_smooth_of_few_steps(solution, rng, steps):
    """smooth: a sequence of no step or of one has as many states as steps, in the shape and dtype of x."""
    x, decay = rng.randn(steps, 2, 3, dtype=F64), rng.rand(3, dtype=F64)
    assert_close(solution.smooth(x, decay), x)


@points(1)
def test_smooth_with_a_constant_decay(solution, reference, rng):
    """smooth: a decay that needs no gradient is allowed, and transposed x too; x's gradient must still be right."""
    x, decay = rng.randn(3, 5, dtype=F64).t(), rng.rand(3, dtype=F64)
    assert_same_gradients(solution.smooth, reference.smooth, (x, decay), wrt=(0,))


@points(1)
def test_smooth_leaves_its_inputs_alone(solution, rng):
    """smooth: neither x nor the decay may be written to."""
    assert_not_mutated(solution.smooth, rng.randn(4, 3), rng.rand(3))


def drawn_parameters(rng, dtype):
    shapes = [(3, 4), (), (5,), (0, 2)]
    return [rng.randn(*s, dtype=dtype) for s in shapes], [rng.randn(*s, dtype=dtype) for s in shapes]


@points(2)
@EACH_DTYPE
def test_decay_of_many(solution, probes, rng, dtype):
    """decay_: every parameter of the list is multiplied by 1 - rate, frozen ones included, where it lies in memory."""
    values, grads = drawn_parameters(rng, dtype)
    rate = rng.uniform(0.1, 0.6)
    left = probes.decayed(values, [False, False, True, False], grads, rate)
    check(left["same"], "decay_ puts other tensors in the place of the parameters instead of editing them")
    assert_close(left["values"], [(1 - rate) * v for v in values], name="parameters")


@points(2)
def test_decay_keeps_leaves_leaves(solution, probes, rng):
    """decay_: no recording, no change of requires_grad, no change of .grad."""
    values, grads = drawn_parameters(rng, F32)
    left = probes.decayed(values, [False, True, False, False], grads, 0.5)
    check(left["leaves"] == [True] * 4, "a parameter has got a history")
    check(left["requires_grad"] == [True, False, True, True], "requires_grad is not what it was")
    assert_close(left["grads"], grads, name="gradients")


@points(2)
def test_decay_is_seen_by_autograd(solution, probes, rng):
    """decay_: when a backward is still to come that needs the old values, autograd must be able to refuse it."""
    seen = probes.decay_before_backward(rng.randn(3), 0.5)
    check(seen == "refused", "the edit was hidden from autograd: a pending backward gave a wrong gradient in silence")


@points(2)
@EACH_DTYPE
def test_track_values(solution, probes, rng, dtype):
    """track_: after several steps the mean holds (1 - momentum) · mean + momentum · batch.mean(0), in its old place."""
    mean, batches = rng.randn(3, dtype=dtype), [rng.randn(n, 3, dtype=dtype) for n in (4, 1, 6)]
    momentum = rng.uniform(0.1, 0.9)
    left = probes.tracked(mean, batches, momentum)
    expected = mean
    for batch in batches:
        expected = (1 - momentum) * expected + momentum * (2 * batch).mean(0)
    check(left["same"], "track_ does not write into the tensor that it was given")
    assert_close(left["mean"], expected, name="running mean")


@points(2)
def test_track_does_not_record(solution, probes, rng):
    """track_: the running mean must not hold on to the graphs of the batches that it has seen."""
    left = probes.tracked(rng.randn(2), [rng.randn(3, 2)], 0.1)
    check(not left["graph"], "the running mean has a history after a step")


@points(2)
def test_track_leaves_the_batch_in_its_graph(solution, probes, rng):
    """track_: the batch goes on to a loss; its gradients must be the same as without tracking."""
    batches = [rng.randn(3, 2, dtype=F64), rng.randn(4, 2, dtype=F64)]
    left = probes.tracked(rng.randn(2, dtype=F64), batches, 0.3)
    assert_close(left["grads"], [8 * b + 2 for b in batches], name="gradients of the batches")


@points(1)
@pytest.mark.parametrize("momentum", [0.0, 1.0])
def test_track_at_the_ends(solution, rng, momentum):
    """track_: momentum 0 keeps the mean, momentum 1 replaces it; transposed batches are ordinary ones."""
    mean, batch = rng.randn(4, dtype=F64), rng.randn(4, 3, dtype=F64).t()
    expected = batch.mean(0) if momentum else mean.clone()
    solution.track_(mean, batch, momentum)
    assert_close(mean, expected, name="running mean")


@points(1)
def test_smooth_with_any_decay(solution, reference, rng):
    """smooth: a decay may be 0, 1 or negative, and there may be many steps: no power of it may be divided by."""
    decay = torch.tensor([0.0, 1.0, -0.5], dtype=F64)
    assert_same_gradients(solution.smooth, reference.smooth, (rng.randn(5, 3, dtype=F64), decay), names=("x", "decay"))
    x = rng.randn(1500, 2, dtype=F64)
    assert_close(
        solution.smooth(x, torch.tensor(0.25, dtype=F64))[-9:], reference.smooth(x, torch.tensor(0.25, dtype=F64))[-9:]
    )


@points(1)
def test_grad_mode_of_the_caller(probes, rng):
    """decay_ and track_ leave recording on where it was on, and off where it was off."""
    found = probes.modes_afterwards(rng.randn(3), rng.randn(4, 3))
    check(found == [True, True, False, False], "the grad mode of the caller has changed")
