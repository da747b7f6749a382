"""Hidden tests: a write and a result. Objects, memory and version counters are watched in probes.py."""

import pytest
import torch

from grader.testing import assert_close, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64


def expect(outcome, avg, new, decay, rtol=None):
    """The values, and everything that must be the same object, memory and leaf as before."""
    wide = decay * avg.double() + (1 - decay) * new.double()
    assert_close(outcome["avg"], wide.to(avg.dtype), rtol=rtol, name="the average")
    check(outcome["same_object"], "ema_update_ does not return avg itself")
    check(outcome["same_memory"], "avg lies in other memory than before")
    check(outcome["leaf"], "avg is no leaf as before: requires_grad changed, or the update was recorded")
    check(outcome["counted"], "the version counter of avg does not show the write")
    check(outcome["new_kept"], "new was written to")


@sample
@points(1)
def test_halfway(solution):
    """The average of 1 and 3, halfway, is 2; avg itself has the new value."""
    avg = torch.tensor([1.0, 2.0])
    solution.ema_update_(avg, torch.tensor([3.0, 2.0]), 0.5)
    assert_close(avg, torch.tensor([2.0, 2.0]), name="avg")


@sample
@points(1)
def test_tripled(solution):
    """Three times 1, 2 and 4."""
    assert_close(solution.rescaled(torch.tensor([1.0, 2.0, 4.0]), 3), torch.tensor([3.0, 6.0, 12.0]))


@sample
@points(1)
def test_returned(probes):
    """What comes back is avg itself, in the same memory, and the version counter has seen the write."""
    avg, new = torch.tensor([4.0, 8.0]), torch.tensor([0.0, 0.0])
    expect(probes.updated(avg, new, 0.75), avg, new, 0.75)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("shape", [(3, 5), (), (0, 2)], ids=["matrix", "number", "empty"])
def test_values(probes, rng, dtype, shape):
    """Random values and decays, in shapes without dimensions or elements too."""
    avg, new, decay = rng.randn(shape, dtype=dtype), rng.randn(shape, dtype=dtype), rng.uniform(0.2, 0.9)
    # of the same sign, so that the two never cancel: a number alone is judged by its own size
    new = new.copysign(avg)
    expect(probes.updated(avg, new, decay), avg, new, decay)


@points(1)
@pytest.mark.parametrize("decay", [0.0, 1.0, 1], ids=["new-alone", "avg-alone", "whole-number"])
def test_extreme_decays(probes, rng, decay):
    """A decay of 0 takes over the new values, a decay of 1 keeps the old ones."""
    avg, new = rng.randn(4, 2), rng.randn(4, 2)
    expect(probes.updated(avg, new, decay), avg, new, decay)


@points(3)
@pytest.mark.parametrize(("leaf", "grad"), [(True, False), (False, True), (True, True)], ids=["avg", "new", "both"])
def test_gradients_around(probes, rng, leaf, grad):
    """avg, new or both require a gradient: the update is not recorded, and avg stays the leaf that it was."""
    avg, new, decay = rng.randn(3, 2), rng.randn(3, 2), rng.uniform(0.2, 0.9)
    expect(probes.updated(avg, new, decay, leaf=leaf, grad=grad), avg, new, decay)


@points(2)
@pytest.mark.parametrize("view", ["rows", "transposed"])
def test_views(probes, rng, view):
    """avg is a view of a larger tensor, which must show the new values in the right places and no others."""
    avg, new, decay = rng.randn(3, 2), rng.randn(3, 2), rng.uniform(0.2, 0.9)
    outcome = probes.updated(avg, new, decay, view=view)
    expect(outcome, avg, new, decay)
    mixed = (decay * avg.double() + (1 - decay) * new.double()).float()
    whole = torch.stack((torch.zeros(3, 2), mixed), dim=1).flatten(0, 1) if view == "rows" else mixed.t().contiguous()
    assert_close(outcome["base"], whole, name="the tensor behind the view")


@points(2)
def test_average_with_itself(probes, rng):
    """new is avg itself: decay and 1 - decay add up to 1, and no value changes."""
    avg, decay = rng.randn(3, 2), rng.uniform(0.2, 0.8)
    expect(probes.updated(avg, None, decay), avg, avg, decay)


@points(2)
@pytest.mark.parametrize(
    ("dtype", "other"), [(F32, F64), (F64, F32)], ids=["float64-into-float32", "float32-into-float64"]
)
def test_two_dtypes(probes, rng, dtype, other):
    """new has another dtype than avg, which keeps its own."""
    avg, new, decay = rng.randn(4, dtype=dtype), rng.randn(4, dtype=other), rng.uniform(0.2, 0.8)
    # of the same sign, so that the two never cancel: rtol leaves no room for that
    new = new.copysign(avg.to(other))
    # one of the two has the digits of float32, and so may the product with it
    expect(probes.updated(avg, new, decay, leaf=True), avg, new, decay, rtol=1e-6)


@points(2)
def test_stale_graph(probes, rng):
    """A graph that saved the old values must refuse to go backward: the version counter has to see the write."""
    error = probes.stale(rng.randn(3), rng.randn(3), rng.uniform(0.2, 0.8))
    check(error == "RuntimeError", "a graph that saved the old values uses the new ones without an error")


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_rescaled(probes, rng, dtype):
    """s times x as a new tensor; x and its version counter stay, and a write to the result is not seen in x."""
    for s in (rng.uniform(-3, 3), 0, 2, rng.uniform(10, 99)):
        x = rng.randn(2, 5, dtype=dtype)
        outcome = probes.scaled(x, s)
        assert_close(outcome["result"], s * x, name="result")
        check(outcome["untouched"], "x was written to")
        check(outcome["separate"], "the result shares memory with x")


@points(2)
@pytest.mark.parametrize("s", [1, 1.0], ids=["whole", "fraction"])
def test_scaled_by_one(probes, rng, s):
    """Scaling by 1 gives a new tensor as well."""
    x = rng.randn(3)
    outcome = probes.scaled(x, s)
    assert_close(outcome["result"], x, name="result")
    check(outcome["separate"], "the result shares memory with x")


@points(2)
def test_gradient_of_rescaled(solution, reference, rng):
    """The gradient of s times x is s."""
    assert_same_gradients(solution.rescaled, reference.rescaled, [rng.randn(3, 2, dtype=F64), rng.uniform(2, 5)])
    assert_same_gradients(solution.rescaled, reference.rescaled, [rng.randn((), dtype=F64), -1])
