"""Hidden tests: a linear recurrence."""

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def by_hand(a, b):
    """One step after the other, in float64."""
    a, wide = a.to(F64), b.to(F64)
    h, rows = torch.zeros_like(wide[0]), []
    for x, y in zip(a, wide, strict=True):
        h = x * h + y
        rows.append(h)
    return torch.stack(rows).to(b.dtype)


def factors(rng, steps, width, dtype):
    """Between -1 and 1."""
    return 2 * rng.rand(steps, width, dtype=dtype) - 1


def compare(solution, a, b):
    assert_close(solution.scan(a, b), by_hand(a, b))


@sample
@points(1)
def test_by_hand(solution):
    """The example of the statement: 8, 4, 3, 6, 7."""
    a = torch.tensor([[0.5], [0.5], [0.5], [0.0], [1.0]])
    b = torch.tensor([[8.0], [0.0], [1.0], [6.0], [1.0]])
    assert_close(solution.scan(a, b), torch.tensor([[8.0], [4.0], [3.0], [6.0], [7.0]]))


@sample
@points(1)
def test_running_sum(solution):
    """With factors of 1, the states are the running sums of b."""
    b = torch.tensor([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    assert_close(solution.scan(torch.ones(3, 2), b), torch.tensor([[1.0, 10.0], [3.0, 30.0], [6.0, 60.0]]))


@sample
@points(1)
def test_a_few_steps(solution, rng, exhibit):
    """Values differ for six steps of three columns."""
    a, b = factors(rng, 6, 3, F32), rng.randn(6, 3)
    exhibit.difference("six steps", solution.scan(a, b), by_hand(a, b))
    compare(solution, a, b)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("steps", [1, 2, 3, 7, 8, 31, 32, 33, 64, 100])
def test_lengths(solution, rng, steps, dtype):
    """Values differ for some lengths: one step, powers of two, and lengths that no block divides."""
    compare(solution, factors(rng, steps, 5, dtype), rng.randn(steps, 5, dtype=dtype))


@points(2)
@pytest.mark.parametrize("width", [1, 2, 64])
def test_widths(solution, rng, width):
    """Values differ for some widths: columns do not influence each other."""
    a, b = factors(rng, 45, width, F64), rng.randn(45, width, dtype=F64)
    compare(solution, a, b)
    order = rng.permutation(width)
    assert_close(solution.scan(a[:, order], b[:, order]), by_hand(a, b)[:, order])


@points(3)
@EACH_DTYPE
def test_long_sequences(solution, rng, dtype):
    """Two thousand steps: the product of the factors underflows, and the states do not."""
    compare(solution, 0.2 * factors(rng, 2000, 3, dtype), rng.randn(2000, 3, dtype=dtype))
    compare(solution, 1 - 0.01 * rng.rand(1500, 3, dtype=dtype), rng.randn(1500, 3, dtype=dtype))


@points(3)
@EACH_DTYPE
def test_factors_of_zero(solution, rng, dtype):
    """A factor of 0 forgets what was before, and nothing is divided by it."""
    a, b = factors(rng, 90, 4, dtype), rng.randn(90, 4, dtype=dtype)
    a[rng.mask(90, 4, p=0.3)] = 0.0
    compare(solution, a, b)
    assert_close(solution.scan(torch.zeros(40, 2, dtype=dtype), b[:40, :2]), b[:40, :2].contiguous())


@points(2)
def test_factors_of_one(solution, rng):
    """Factors of 1 and −1, for many steps: sums, and sums with changing signs."""
    b = rng.randn(200, 3, dtype=F64)
    assert_close(solution.scan(torch.ones(200, 3, dtype=F64), b), b.cumsum(0))
    compare(solution, torch.where(rng.mask(200, 3), 1.0, -1.0).to(F64), b)


@points(2)
def test_a_single_push(solution):
    """What is added once decays with the product of the factors that follow."""
    a, b = torch.full((70, 1), 0.5, dtype=F64), torch.zeros(70, 1, dtype=F64)
    b[3] = 1.0
    found = solution.scan(a, b)
    check(bool((found[:3] == 0).all()), "a state changes before anything was added")
    assert_close(found[3:, 0], 0.5 ** torch.arange(67, dtype=F64), rtol=1e-12, atol=0.0)


@points(1)
def test_first_factor(solution, rng):
    """The first row of a has no effect, and the first state is the first row of b."""
    a, b = factors(rng, 40, 3, F64), rng.randn(40, 3, dtype=F64)
    other = a.clone()
    other[0] = 1.0
    found = solution.scan(a, b)
    assert_close(found, solution.scan(other, b))
    assert_close(found[0], b[0])


@points(2)
def test_linear(solution, rng):
    """The states are linear in b: large and negative ones are ordinary inputs."""
    a, b = factors(rng, 66, 2, F64), rng.randn(66, 2, dtype=F64)
    found = solution.scan(a, b)
    assert_close(solution.scan(a, -1e6 * b), -1e6 * found)
    compare(solution, -a.abs(), -1 - b.abs())


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    a, b = factors(rng, 4, 40, F64).T, rng.randn(80, 8, dtype=F64)[::2, ::2]
    found = assert_not_mutated(solution.scan, a, b)
    assert_close(found, by_hand(a, b))
    compare(solution, -a, b)
    assert_deterministic(solution.scan, a, b)
