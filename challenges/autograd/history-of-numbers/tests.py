"""Hidden tests: what a training loop stores, and what that keeps alive."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ["0.weight", "0.bias", "2.weight", "2.bias"]


def setting(rng, dtype=F64, sizes=(4, 2, 7)):
    first, second = rng.randn(3, 2, dtype=dtype), rng.randn(1, 3, dtype=dtype)
    return first, second, [(rng.randn(n, 2, dtype=dtype), rng.randn(n, 1, dtype=dtype)) for n in sizes]


def loss_of(p, x, y):
    return ((1.5 * (torch.tanh(x @ p[0].T + p[1]) @ p[2].T + p[3]) - y) ** 2).mean()


def start(first, second):
    zeros = (torch.zeros(len(first), dtype=first.dtype), torch.zeros(len(second), dtype=first.dtype))
    return [t.clone().requires_grad_() for t in (first, zeros[0], second, zeros[1])]


def expected_fit(first, second, batches, lr, epochs):
    """The same training by hand."""
    p, losses, weights = start(first, second), [], []
    for _ in range(epochs):
        total = 0.0
        for x, y in batches:
            loss = loss_of(p, x, y)
            grads = torch.autograd.grad(loss, p)
            p = [(t - lr * g).detach().requires_grad_() for t, g in zip(p, grads, strict=True)]
            total += loss.item() * len(x)
        losses.append(total / sum(len(x) for x, _ in batches))
        weights.append([t.detach() for t in p])
    return losses, weights


def check_fit(found, first, second, batches, lr, epochs):
    losses, weights = expected_fit(first, second, batches, lr, epochs)
    check(len(found["losses"]) == epochs, "there should be one dict per epoch")
    check(all(type(loss) is float for loss in found["losses"]), "a loss should be a Python float")
    check(all(sorted(each) == sorted(NAMES) for each in found["weights"]), "a snapshot has other names")
    assert_close(found["losses"], losses, rtol=1e-4 if first.dtype == F32 else 1e-9, name="losses")
    for each, wanted in zip(found["weights"], weights, strict=True):
        assert_close([each[name] for name in NAMES], wanted, scale=64.0, name="snapshot")
    if weights:
        assert_close(found["final"], weights[-1], scale=64.0, name="trained weights")


@sample
@points(1)
def test_two_epochs(probes):
    """The losses and snapshots of two epochs with two batches."""
    first, second = torch.eye(2), torch.ones(1, 2)
    batches = [(torch.eye(2), torch.ones(2, 1)), (torch.ones(1, 2), torch.zeros(1, 1))]
    check_fit(probes.trained(first, second, batches, 0.1, 2), first, second, batches, 0.1, 2)


@sample
@points(1)
def test_evaluation_gives_a_float(probes):
    """evaluate returns the mean over the samples as a Python float."""
    first, second = torch.eye(2), torch.ones(1, 2)
    batches = [(torch.zeros(3, 2), torch.ones(3, 1)), (torch.zeros(1, 2), torch.full((1, 1), 3.0))]
    found = probes.evaluated(first, second, batches)["loss"]
    check(type(found) is float, "evaluate should return a Python float")
    assert_close(found, 3.0, rtol=1e-5, name="loss")


@sample
@points(1)
def test_evaluation_saves_nothing(probes):
    """evaluate should save nothing for a backward pass that never comes."""
    batches = [(torch.ones(2, 2), torch.ones(2, 1))] * 3
    found = probes.evaluated(torch.eye(2), torch.ones(1, 2), batches)
    check(found["saved"] == 0, "tensors were saved for a backward pass")


@points(2)
@EACH_DTYPE
def test_training(probes, rng, dtype):
    """A loss, a snapshot or the trained weights differ from the same training by hand."""
    first, second, batches = setting(rng, dtype)
    # Small steps: with large ones, training diverges for some data, and multiplies the rounding.
    check_fit(probes.trained(first, second, batches, 0.01, 4), first, second, batches, 0.01, 4)


@points(1)
def test_no_epochs(probes, rng):
    """No epochs give an empty history and no steps."""
    first, second, batches = setting(rng)
    found = probes.trained(first, second, batches, 0.05, 0)
    check_fit(found, first, second, batches, 0.05, 0)
    assert_close(found["final"][0], first, name="weights")


@points(2)
def test_snapshots_are_data(probes, rng):
    """A snapshot should have no history."""
    check(probes.trained(*setting(rng), 0.05, 2)["plain"], "a snapshot requires a gradient")


@points(3)
def test_nothing_stays_alive(probes, rng):
    """When the next batch is asked for, nothing that was saved for an earlier one should exist."""
    found = probes.trained(*setting(rng, sizes=(3, 3, 2, 5)), 0.05, 3)
    check(found["alive"] == 0, "tensors that were saved for an earlier batch are still alive")


@points(2)
def test_no_graph_of_earlier_batches(probes, rng):
    """When the next batch is asked for, graphs of more than the latest batch still exist: who refers to them?"""
    found = probes.trained(*setting(rng, sizes=(3, 3, 2, 5)), 0.05, 2)
    check(found["graphs"] <= 1, "graphs of batches before the latest one are still alive")


@points(3)
def test_one_read_per_epoch(probes, rng):
    """More than one read from a tensor into Python within an epoch, or within an evaluation."""
    first, second, batches = setting(rng, sizes=(3, 3, 2, 5, 1))
    check(probes.trained(first, second, batches, 0.05, 3)["reads"] <= 1, "fit reads more than once in an epoch")
    check(probes.evaluated(first, second, batches)["reads"] <= 1, "evaluate reads more than once")


@points(2)
@EACH_DTYPE
def test_evaluation(probes, rng, dtype):
    """evaluate differs from the mean over all samples."""
    first, second, batches = setting(rng, dtype, sizes=(5, 1, 2))
    found = probes.evaluated(first, second, batches)
    p = start(first, second)
    total = sum(loss_of(p, x, y).item() * len(x) for x, y in batches) / 8
    check(type(found["loss"]) is float, "evaluate should return a Python float")
    assert_close(found["loss"], total, rtol=1e-4 if dtype == F32 else 1e-9, name="loss")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_no_other_change(probes, rng, training):
    """The mode and the grad mode stay; evaluate changes neither parameters nor their .grad."""
    first, second, batches = setting(rng)
    check(probes.trained(first, second, batches, 0.05, 1, training)["mode"], "the mode or the grad mode has changed")
    for recording in (True, False):
        found = probes.evaluated(first, second, batches, training, recording)
        check(found["mode"], "the mode or the grad mode has changed")
        check(found["same"], "a parameter or its .grad has changed")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_batch_norm_and_a_frozen_bias(probes, rng, training):
    """evaluate runs the model in the mode in which it is; a snapshot holds all parameters, frozen ones too, and no buffers."""
    first, second, batches = setting(rng, sizes=(4, 2, 7))
    found = probes.normed(first, second, batches, training)
    total = 0.0
    for x, y in batches:
        output = torch.tanh(x @ first.T) @ second.T
        mean, var = (output.mean(0), output.var(0, correction=0)) if training else (0.0, 1.0)
        output = (output - mean) / (var + 1e-5) ** 0.5
        total += ((1.5 * output - y) ** 2).sum().item()
    assert_close(found["loss"], total / 13, rtol=1e-9, name="loss")
    check(sorted(found["weights"]) == sorted(found["final"]), "a snapshot has other names than the parameters")
    for name, wanted in found["final"].items():
        assert_close(found["weights"][name], wanted, name=name)
