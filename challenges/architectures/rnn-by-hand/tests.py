"""Hidden tests: rnn_forward against the library's own recurrence."""

import pytest
import torch
from torch import nn
from torch.func import functional_call

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
LAYOUTS = {"time-first": False, "batch-first": True}
EACH_LAYOUT = pytest.mark.parametrize("batch_first", list(LAYOUTS.values()), ids=list(LAYOUTS))


def drawn(rng, inputs, hidden, layers, dtype=torch.float64, scale=0.5):
    """The flat list of weights: four tensors for each layer."""
    flat = []
    for layer in range(layers):
        shapes = (hidden, hidden if layer else inputs), (hidden, hidden), (hidden,), (hidden,)
        flat += [scale * rng.randn(*shape, dtype=dtype) for shape in shapes]
    return flat


def grouped(flat):
    return [tuple(flat[i : i + 4]) for i in range(0, len(flat), 4)]


def library(x, h0, *flat, batch_first=False):
    """What nn.RNN gives when it holds these weights."""
    inputs, hidden = flat[0].shape[1], flat[1].shape[0]
    rnn = nn.RNN(inputs, hidden, len(flat) // 4, batch_first=batch_first)
    names = [name for name, _ in rnn.named_parameters()]
    return functional_call(rnn, dict(zip(names, flat, strict=True)), (x, h0))


def mine(solution, batch_first=False):
    return lambda x, h0, *flat: solution.rnn_forward(x, h0, grouped(flat), batch_first)


@sample
@points(1)
def test_two_steps_by_hand(solution):
    """One layer, one feature, two steps: each state is tanh of the weighted input, the weighted old state and both biases."""
    params = [(torch.tensor([[2.0]]), torch.tensor([[0.5]]), torch.tensor([0.1]), torch.tensor([-0.3]))]
    output, h_n = solution.rnn_forward(torch.tensor([[[1.0]], [[-1.0]]]), torch.tensor([[[4.0]]]), params)
    first = torch.tensor(2.0 * 1 + 0.5 * 4 - 0.2).tanh()
    second = (2.0 * -1 + 0.5 * first - 0.2).tanh()
    assert_close(output, torch.stack([first, second]).reshape(2, 1, 1), name="output")
    assert_close(h_n, second.reshape(1, 1, 1), name="h_n")


@sample
@points(1)
def test_shapes_with_batch_first(solution, rng):
    """batch_first moves the batch in x and in the output; the state stays (layers, B, H)."""
    shapes = [(6, 3), (6, 6), (6,), (6,), (6, 6), (6, 6), (6,), (6,)]
    flat = [rng.randn(*shape) for shape in shapes]
    params = [tuple(flat[:4]), tuple(flat[4:])]
    output, h_n = solution.rnn_forward(rng.randn(5, 7, 3), torch.zeros(2, 5, 6), params, batch_first=True)
    check(output.shape == (5, 7, 6), "the output should be (B, T, H) = (5, 7, 6)")
    check(h_n.shape == (2, 5, 6), "h_n should be (layers, B, H) = (2, 5, 6)")
    assert_close(h_n[1], output[:, -1], name="h_n of the last layer, against the last output")


@sample
@points(1)
def test_state_in_the_wrong_layout(solution, rng):
    """The state has the shape (L, B, H) with batch_first too; any other is refused with a ValueError."""
    params = [(rng.randn(20, 10), rng.randn(20, 20), rng.randn(20), rng.randn(20))]
    for state in (torch.zeros(5, 1, 20), torch.zeros(1, 3, 20)):
        with pytest.raises(ValueError):
            solution.rnn_forward(rng.randn(5, 3, 10), state, params, batch_first=True)


@points(3)
@EACH_LAYOUT
@pytest.mark.parametrize("layers", [1, 3])
def test_values_and_gradients(solution, rng, layers, batch_first):
    """Output, final states or a gradient differ: walk over time for each layer, with both biases and its own state."""
    flat = drawn(rng, 3, 4, layers)
    x = rng.randn(*((2, 5) if batch_first else (5, 2)), 3, dtype=torch.float64)
    h0 = rng.randn(layers, 2, 4, dtype=torch.float64)
    names = ("x", "h0", *(f"{name} of layer {i}" for i in range(layers) for name in ("w_ih", "w_hh", "b_ih", "b_hh")))
    assert_same_gradients(
        mine(solution, batch_first), lambda *a: library(*a, batch_first=batch_first), (x, h0, *flat), names=names
    )


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """Results have the dtype of the inputs, and are computed in it; the default state has it, too."""
    flat = drawn(rng, 3, 4, 2, dtype)
    x = rng.randn(4, 2, 3, dtype=dtype)
    expected = library(x, torch.zeros(2, 2, 4, dtype=dtype), *flat)
    assert_close(tuple(solution.rnn_forward(x, None, grouped(flat))), expected)


@points(2)
def test_fifty_steps(solution, rng):
    """Gradients must flow through all steps: fifty of them, from the last output back to the first input and h0."""
    flat = drawn(rng, 2, 3, 1, scale=0.6)
    x, h0 = rng.randn(50, 2, 2, dtype=torch.float64), rng.randn(1, 2, 3, dtype=torch.float64)
    assert_same_gradients(mine(solution), library, (x, h0, *flat), scale=4.0)


@points(1)
def test_large_inputs(solution, rng):
    """Where tanh saturates, results are plus or minus one and gradients are finite."""
    flat = drawn(rng, 2, 3, 1)
    x = (1e4 * rng.randn(3, 2, 2, dtype=torch.float64)).requires_grad_()
    h0 = rng.randn(1, 2, 3, dtype=torch.float64)
    output, h_n = solution.rnn_forward(x, h0, grouped(flat))
    assert_close((output.detach(), h_n.detach()), library(x.detach(), h0, *flat))
    output.sum().backward()
    check(x.grad is not None and bool(x.grad.isfinite().all()), "a gradient is missing or not finite")


@points(1)
def test_without_initial_state(solution, rng):
    """h0=None stands for zeros, and differs from no recurrence at all."""
    flat = drawn(rng, 3, 4, 2)
    x = rng.randn(2, 6, 3, dtype=torch.float64)
    expected = library(x, torch.zeros(2, 2, 4, dtype=torch.float64), *flat, batch_first=True)
    assert_close(tuple(solution.rnn_forward(x, None, grouped(flat), batch_first=True)), expected)


@points(2)
@EACH_LAYOUT
def test_without_batch(solution, rng, batch_first):
    """x of shape (T, D) with a state (layers, H), or None, gives (T, H) and (layers, H), whatever batch_first says."""
    flat = drawn(rng, 3, 4, 2)
    x, h0 = rng.randn(5, 3, dtype=torch.float64), rng.randn(2, 4, dtype=torch.float64)
    for state in (h0, None):
        start = torch.zeros(2, 4, dtype=torch.float64) if state is None else state
        output, h_n = library(x[:, None], start[:, None].contiguous(), *flat)
        found = solution.rnn_forward(x, state, grouped(flat), batch_first)
        assert_close(tuple(found), (output[:, 0], h_n[:, 0]))


@points(1)
@EACH_LAYOUT
def test_one_step_one_sequence(solution, rng, batch_first):
    """One step, one sequence, one hidden unit: no dimension may disappear."""
    flat = drawn(rng, 1, 1, 1)
    x, h0 = rng.randn(1, 1, 1, dtype=torch.float64), rng.randn(1, 1, 1, dtype=torch.float64)
    found = solution.rnn_forward(x, h0, grouped(flat), batch_first)
    assert_close(tuple(found), library(x, h0, *flat, batch_first=batch_first))


@points(1)
@pytest.mark.parametrize("what", ["layers", "batch", "hidden"])
def test_states_that_do_not_fit(solution, rng, what):
    """A state with another number of layers, of sequences or of units raises ValueError; one is not stretched to many."""
    shape = {"layers": (1, 3, 4), "batch": (2, 1, 4), "hidden": (2, 3, 1)}[what]
    with pytest.raises(ValueError):
        solution.rnn_forward(rng.randn(5, 3, 2), torch.zeros(shape), grouped(drawn(rng, 2, 4, 2, torch.float32)))


@points(1)
@pytest.mark.parametrize("batched", [True, False], ids=["batched", "unbatched"])
def test_state_of_the_other_kind(solution, rng, batched):
    """A batch needs a state with a batch dimension, a sequence alone one without: the other kind raises ValueError."""
    x = rng.randn(1, 1, 2) if batched else rng.randn(5, 2)
    shape = (2, 4) if batched else (2, 1, 4)
    for batch_first in (False, True):
        with pytest.raises(ValueError):
            solution.rnn_forward(x, torch.zeros(shape), grouped(drawn(rng, 2, 4, 2, torch.float32)), batch_first)


@points(1)
def test_layouts_in_memory(solution, rng):
    """Inputs that are not contiguous are tensors like any other, and nothing is changed in place."""
    flat = drawn(rng, 3, 4, 1)
    x = rng.randn(3, 10, 2, dtype=torch.float64).permute(2, 1, 0)[:, ::2]
    h0 = rng.randn(4, 2, 1, dtype=torch.float64).permute(2, 1, 0)
    flat[1] = flat[1].T
    found = assert_not_mutated(solution.rnn_forward, x, h0, grouped(flat), batch_first=True)
    expected = library(x.contiguous(), h0.contiguous(), *[t.contiguous() for t in flat], batch_first=True)
    assert_close(tuple(found), expected)


@points(1)
def test_by_finite_differences(solution, rng):
    """Gradients agree with finite differences."""
    flat = drawn(rng, 2, 2, 1)
    assert_gradcheck(
        mine(solution), (rng.randn(2, 1, 2, dtype=torch.float64), rng.randn(1, 1, 2, dtype=torch.float64), *flat)
    )


@attested
@points(1)
def test_no_built_in_recurrence(solution, attest, rng):
    """A recurrence of the library ran: write the loop yourself."""
    flat = drawn(rng, 2, 2, 1)
    seen = attest(solution.rnn_forward, rng.randn(2, 1, 2, dtype=torch.float64), None, grouped(flat))
    check(not any("rnn" in name.rpartition("::")[2] for name in seen.operators), "a built-in recurrence ran")
