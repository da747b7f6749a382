"""Hidden tests: squared distances between all rows of two matrices."""

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
ALLOWED = {F32: 1e-5, F64: 1e-13}
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def compare(found, x, y):
    """Differences in float64, and the error that the statement allows."""
    check(isinstance(found, torch.Tensor), "the result must be a tensor")
    check(found.shape == (len(x), len(y)), f"the shape is {tuple(found.shape)}, not {(len(x), len(y))}")
    check(found.dtype == x.dtype, f"the dtype is {found.dtype}, not {x.dtype}")
    wide, other = x.to(F64), y.to(F64)
    expected = (wide[:, None] - other).square().sum(-1)
    allowed = ALLOWED[x.dtype] * (wide.square().sum(1, keepdim=True) + other.square().sum(1))
    off = (found.to(F64) - expected).abs() - allowed
    check(bool((off <= 0).all()), "a distance is further off than the statement allows")
    check(bool((found >= 0).all()), "a squared distance is negative")


@sample
@points(1)
def test_by_hand(solution):
    """The distances from the origin and from (3, 4) can be read off: 0, 1, 9, and 25, 18, 16."""
    x = torch.tensor([[0.0, 0.0], [3.0, 4.0]])
    y = torch.tensor([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0]])
    expected = torch.tensor([[0.0, 1.0, 9.0], [25.0, 18.0, 16.0]])
    assert_close(solution.squared_distances(x, y), expected)


@sample
@points(1)
def test_a_few_rows(solution, rng, exhibit):
    """Values are off for three rows and five rows of four features."""
    x, y = rng.randn(3, 4), rng.randn(5, 4)
    found = solution.squared_distances(x, y)
    exhibit.difference("three rows against five", found, (x[:, None] - y).square().sum(-1))
    compare(found, x, y)


@sample
@points(1)
def test_equal_rows(solution):
    """The distance of a row from itself is zero or almost zero, and not negative."""
    x = torch.tensor([[3.0, 4.0], [-0.1, 0.7], [0.0, 0.0]])
    compare(solution.squared_distances(x, x.clone()), x, x)


SIZES = [(1, 1, 1), (1, 7, 3), (7, 1, 3), (5, 5, 2), (4, 6, 1), (11, 3, 8), (30, 33, 5), (26, 64, 17)]


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_sizes(solution, rng, sizes, dtype):
    """Values are off for some sizes: rows, columns and features are independent of each other."""
    m, n, d = sizes
    x, y = rng.randn(m, d, dtype=dtype), rng.randn(n, d, dtype=dtype)
    compare(solution.squared_distances(x, y), x, y)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("size", [1e-3, 30.0, 1000.0], ids=["small", "large", "very-large"])
def test_magnitudes(solution, rng, size, dtype):
    """Small or large numbers: is something added that does not scale with the inputs, or cut off?"""
    x, y = size * rng.randn(9, 6, dtype=dtype), size * rng.randn(12, 6, dtype=dtype)
    compare(solution.squared_distances(x, y), x, y)


@points(2)
@EACH_DTYPE
def test_one_is_much_longer(solution, rng, dtype):
    """Rows of x are long and rows of y short, and the other way round: both norms belong to the distance."""
    x, y = 100 * rng.randn(6, 5, dtype=dtype), rng.randn(8, 5, dtype=dtype)
    compare(solution.squared_distances(x, y), x, y)
    compare(solution.squared_distances(y, x), y, x)


@points(3)
@EACH_DTYPE
def test_never_negative(solution, rng, dtype):
    """Rows that are equal, or nearly so, have a distance below zero: three rounded terms do not cancel exactly."""
    x = 50 + rng.randn(40, 7, dtype=dtype)
    near = x + 1e-6 * rng.randn(40, 7, dtype=dtype)
    compare(solution.squared_distances(x, x.clone()), x, x)
    compare(solution.squared_distances(x, near), x, near)


@points(2)
def test_sign_of_the_inputs(solution, rng):
    """Inputs with negative sums, and the same inputs mirrored: the distances are the same."""
    x, y = -1 - rng.rand(5, 3), rng.randn(6, 3)
    compare(solution.squared_distances(x, y), x, y)
    compare(solution.squared_distances(-x, -y), -x, -y)


@points(1)
def test_symmetry(solution, rng):
    """Exchanging x and y transposes the result."""
    x, y = rng.randn(6, 4, dtype=F64), rng.randn(9, 4, dtype=F64)
    assert_close(solution.squared_distances(x, y), solution.squared_distances(y, x).T, scale=50.0)


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed and sliced views are ordinary inputs."""
    x, y = rng.randn(5, 8).T, rng.randn(14, 10)[::2, ::2]
    compare(solution.squared_distances(x, y), x, y)


@points(1)
def test_nothing_is_changed_or_remembered(solution, rng):
    """Arguments are left as they were, and a second call does not know of the first."""
    x, y = rng.randn(5, 3), rng.randn(4, 3)
    compare(assert_not_mutated(solution.squared_distances, x, y), x, y)
    other = rng.randn(5, 3)
    compare(solution.squared_distances(other, y), other, y)
    assert_deterministic(solution.squared_distances, x, y)
