"""Hidden tests: both cells against the library's own."""

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

NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
EACH_CELL = pytest.mark.parametrize("kind", ["lstm", "gru"])
BLOCKS = {"lstm": 4, "gru": 3}
STATES = {"lstm": ("h", "c"), "gru": ("h",)}


def drawn(rng, kind, lead=(3,), inputs=2, hidden=5, dtype=torch.float64, scale=0.7):
    """x, the states, and the four weights."""
    rows = BLOCKS[kind] * hidden
    states = [rng.randn(*lead, hidden, dtype=dtype) for _ in STATES[kind]]
    shapes = (rows, inputs), (rows, hidden), (rows,), (rows,)
    return [
        rng.randn(*lead, inputs, dtype=dtype),
        *states,
        *(scale * rng.randn(*shape, dtype=dtype) for shape in shapes),
    ]


def library(kind):
    """What the library's cell gives when it holds these weights; leading dimensions become one."""

    def step(x, *rest):
        states, weights = rest[:-4], rest[-4:]
        cell = (nn.LSTMCell if kind == "lstm" else nn.GRUCell)(x.shape[-1], states[0].shape[-1], dtype=x.dtype)
        flat = [s.reshape(-1, s.shape[-1]) for s in states]
        given = tuple(flat) if kind == "lstm" else flat[0]
        found = functional_call(cell, dict(zip(NAMES, weights, strict=True)), (x.reshape(-1, x.shape[-1]), given))
        found = found if kind == "lstm" else (found,)
        return tuple(s.reshape(states[0].shape) for s in found)

    return step


def mine(solution, kind):
    def step(*args):
        found = solution.lstm_step(*args) if kind == "lstm" else solution.gru_step(*args)
        return tuple(found) if kind == "lstm" else (found,)

    return step


@sample
@points(1)
def test_lstm_with_zero_weights(solution):
    """Each gate is one half and the candidate 0: half of the cell is kept."""
    zeros = [torch.zeros(8, 3), torch.zeros(8, 2), torch.zeros(8), torch.zeros(8)]
    h, c = solution.lstm_step(torch.ones(1, 3), torch.ones(1, 2), torch.tensor([[4.0, -2.0]]), *zeros)
    assert_close(c, torch.tensor([[2.0, -1.0]]), name="c_new")
    assert_close(h, 0.5 * torch.tensor([[2.0, -1.0]]).tanh(), name="h_new")


@sample
@points(1)
def test_gru_with_zero_weights(solution):
    """The update gate is one half and the candidate 0: half of the state is kept."""
    zeros = [torch.zeros(6, 3), torch.zeros(6, 2), torch.zeros(6), torch.zeros(6)]
    found = solution.gru_step(torch.ones(1, 3), torch.tensor([[4.0, -2.0]]), *zeros)
    assert_close(found, torch.tensor([[2.0, -1.0]]), name="h_new")


@sample
@points(1)
def test_one_unit_by_hand(solution):
    """One unit, with a different weight for each block: input gate, forget gate, candidate, output gate."""
    x, h, c = torch.tensor([[1.0]]), torch.tensor([[2.0]]), torch.tensor([[3.0]])
    w_ih, w_hh = torch.tensor([[1.0], [-1.0], [0.5], [2.0]]), torch.tensor([[0.5], [1.0], [-0.5], [-1.0]])
    b_ih, b_hh = torch.tensor([0.1, 0.2, 0.3, 0.4]), torch.tensor([-0.5, 0.5, 1.0, 0.0])
    i, f, o = (torch.tensor(v).sigmoid() for v in (1.6, 1.7, 0.4))
    c_new = f * 3 + i * torch.tensor(0.8).tanh()
    found = solution.lstm_step(x, h, c, w_ih, w_hh, b_ih, b_hh)
    assert_close(tuple(found), ((o * c_new.tanh()).reshape(1, 1), c_new.reshape(1, 1)))


@points(4)
@EACH_CELL
@pytest.mark.parametrize("sizes", [(2, 5), (7, 3), (1, 1)], ids=["wider", "narrower", "one"])
def test_values_and_gradients(solution, rng, kind, sizes):
    """A state or a gradient differs: check the order of the blocks, both biases, and what each gate scales."""
    args = drawn(rng, kind, inputs=sizes[0], hidden=sizes[1])
    assert_same_gradients(
        mine(solution, kind), library(kind), tuple(args), names=("x", *STATES[kind], "w_ih", "w_hh", "b_ih", "b_hh")
    )


@points(2)
@EACH_CELL
@EACH_DTYPE
def test_dtypes(solution, rng, kind, dtype):
    """Results have the dtype of the inputs."""
    args = drawn(rng, kind, dtype=dtype)
    assert_close(mine(solution, kind)(*args), library(kind)(*args))


@points(2)
@EACH_CELL
@pytest.mark.parametrize("lead", [(), (1,), (4, 3), (2, 1, 3)], ids=["none", "one", "two", "three"])
def test_leading_dimensions(solution, rng, kind, lead):
    """Blocks are cut from the last dimension, however many there are before it."""
    args = drawn(rng, kind, lead=lead)
    assert_close(mine(solution, kind)(*args), library(kind)(*args))


@points(3)
@EACH_CELL
def test_thirty_steps(solution, rng, kind):
    """States and gradients must agree after 30 steps as well: nothing is detached on the way."""
    x, *rest = drawn(rng, kind)
    states, weights = rest[:-4], rest[-4:]
    inputs = rng.randn(30, *x.shape, dtype=x.dtype)

    def walk(step):
        def through(inputs, *rest):
            states, weights = rest[:-4], rest[-4:]
            for seen in inputs:
                states = step(seen, *states, *weights)
            return tuple(states)

        return through

    assert_same_gradients(
        walk(mine(solution, kind)), walk(library(kind)), (inputs, *states, *(0.7 * w for w in weights)), scale=8.0
    )


@points(2)
@EACH_CELL
@EACH_DTYPE
def test_saturated_gates(solution, rng, kind, dtype):
    """Where gates are 0 or 1, results are right, and gradients are finite."""
    x, *rest = drawn(rng, kind, dtype=dtype)
    x = 1e4 * x
    expected = library(kind)(x, *rest)
    given = [t.clone().requires_grad_() for t in (x, *rest)]
    found = mine(solution, kind)(*given)
    assert_close(tuple(s.detach() for s in found), expected)
    sum(s.sum() for s in found).backward()
    check(
        all(t.grad is not None and bool(t.grad.isfinite().all()) for t in given), "a gradient is missing or not finite"
    )


@points(1)
def test_large_cell(solution, rng):
    """A cell state has no bound: it may be far outside of -1 to 1, with either sign."""
    args = drawn(rng, "lstm")
    args[2] = 50 * args[2]
    assert_close(mine(solution, "lstm")(*args), library("lstm")(*args))


@points(1)
@EACH_CELL
def test_layouts_in_memory(solution, rng, kind):
    """Inputs that are not contiguous are tensors like any other, and nothing is changed in place."""
    args = drawn(rng, kind, lead=(4, 3))
    strided = [torch.stack([t, t + 1], -1)[..., 0] for t in args]
    strided[-3] = args[-3].T.contiguous().T
    # The leading dimensions of x and of the states cannot be merged by a view.
    strided[:-4] = [t.transpose(0, 1).contiguous().transpose(0, 1) for t in args[:-4]]
    entry = solution.lstm_step if kind == "lstm" else solution.gru_step
    found = assert_not_mutated(entry, *strided)
    assert_close(tuple(found) if kind == "lstm" else (found,), library(kind)(*args))


@points(1)
@EACH_CELL
def test_by_finite_differences(solution, rng, kind):
    """Gradients agree with finite differences."""
    assert_gradcheck(mine(solution, kind), tuple(drawn(rng, kind, lead=(2,), inputs=2, hidden=2)))


@attested
@points(1)
@EACH_CELL
def test_no_built_in_cell(solution, attest, rng, kind):
    """A cell of the library ran: write the formulas."""
    seen = attest(solution.lstm_step if kind == "lstm" else solution.gru_step, *drawn(rng, kind))
    names = [name.rpartition("::")[2] for name in seen.operators]
    check(not any("lstm" in name or "gru" in name for name in names), "a built-in cell ran")
