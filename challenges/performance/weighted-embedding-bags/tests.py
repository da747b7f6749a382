"""Hidden tests: weighted sums of rows of a table."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def drawn(rng, rows, width, bags, length, dtype=F64):
    table = rng.randn(rows, width, dtype=dtype)
    return table, rng.randint(0, rows, (bags, length)), rng.randn(bags, length, dtype=dtype)


def by_hand(table, indices, weights):
    """One row of one bag at a time, in float64."""
    out = torch.zeros(len(indices), table.shape[1], dtype=F64)
    for b, (rows, factors) in enumerate(zip(indices.tolist(), weights.tolist(), strict=True)):
        for row, factor in zip(rows, factors, strict=True):
            out[b] += factor * table[row].to(F64)
    return out.to(table.dtype)


def compare(solution, *args):
    assert_close(solution.weighted_bags(*args), by_hand(*args), scale=2.0)


@sample
@points(1)
def test_by_hand(solution):
    """The example of the statement: 3 and 0.5 times two rows, and a row that cancels itself."""
    table = torch.tensor([[1.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
    found = solution.weighted_bags(table, torch.tensor([[0, 1], [2, 2]]), torch.tensor([[3.0, 0.5], [1.0, -1.0]]))
    assert_close(found, torch.tensor([[3.0, 5.0], [0.0, 0.0]]))


@sample
@points(1)
def test_a_lookup(solution, rng):
    """Bags of one row with the weight 1 are a lookup."""
    table = rng.randn(6, 4)
    indices = torch.tensor([[5], [0], [3], [3]])
    assert_close(solution.weighted_bags(table, indices, torch.ones(4, 1)), table[indices[:, 0]])


@sample
@points(1)
def test_a_few_bags(solution, rng, exhibit):
    """Values differ for four bags of three rows."""
    args = drawn(rng, 7, 5, 4, 3, F32)
    exhibit.difference("four bags", solution.weighted_bags(*args), by_hand(*args))
    compare(solution, *args)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize(
    "sizes",
    [(1, 1, 1, 1), (1, 3, 4, 2), (9, 1, 2, 5), (5, 5, 5, 5), (3, 8, 1, 40), (40, 2, 33, 1), (20, 7, 50, 6)],
    ids=str,
)
def test_sizes(solution, rng, sizes, dtype):
    """Values differ for some sizes: rows, features, bags and their length are independent of each other."""
    compare(solution, *drawn(rng, *sizes, dtype))


@points(2)
def test_repeated_rows(solution, rng):
    """A row that is named several times in a bag counts each time, with its own weight."""
    table, indices, weights = drawn(rng, 3, 4, 10, 12)
    compare(solution, table, indices, weights)
    compare(solution, table, torch.full_like(indices, 2), weights)


@points(2)
@EACH_DTYPE
def test_nothing_to_add(solution, rng, dtype):
    """Bags without rows give zeros, and without bags there is no result."""
    table = rng.randn(4, 3, dtype=dtype)
    for bags, length in ((5, 0), (0, 2), (0, 0)):
        empty = torch.zeros(bags, length, dtype=torch.int64), torch.zeros(bags, length, dtype=dtype)
        assert_close(solution.weighted_bags(table, *empty), torch.zeros(bags, 3, dtype=dtype))


@points(3)
@pytest.mark.parametrize("value", [math.nan, math.inf], ids=["nan", "infinity"])
def test_rows_that_nobody_names(solution, rng, value):
    """NaN or infinity in a row reaches the bags that name it, and no others: zero times NaN is NaN."""
    table, indices, weights = drawn(rng, 12, 3, 6, 5)
    indices = torch.where((indices == 4) | (indices == 0), 7, indices)
    expected = by_hand(table, indices, weights)
    table[[0, 4]] = value
    assert_close(solution.weighted_bags(table, indices, weights), expected)
    indices[2, 1] = 4  # what one bag names is nothing to the others
    found = solution.weighted_bags(table, indices, weights)
    assert_close((found[:2], found[3:]), (expected[:2], expected[3:]))
    check(not found[2].isfinite().any(), "the row of NaN or infinity does not take part in the bag that names it")


@points(2)
def test_bags_are_independent(solution, rng):
    """Bags in another order give the results in that order, and a bag alone gives what it gives among others."""
    table, indices, weights = drawn(rng, 10, 4, 37, 3)
    found = solution.weighted_bags(table, indices, weights)
    order = rng.permutation(37)
    assert_close(solution.weighted_bags(table, indices[order], weights[order]), found[order])
    assert_close(solution.weighted_bags(table, indices[20:21], weights[20:21]), found[20:21])


@points(2)
def test_order_in_a_bag(solution, rng):
    """The order of the rows in a bag does not matter, if their weights move with them."""
    table, indices, weights = drawn(rng, 10, 4, 6, 8)
    order = rng.permutation(8)
    found = solution.weighted_bags(table, indices[:, order], weights[:, order])
    assert_close(found, solution.weighted_bags(table, indices, weights))


@points(2)
def test_weights_of_both_signs(solution, rng):
    """Weights that are negative, zero or do not sum to 1 are ordinary weights, and so are large rows."""
    table, indices, weights = drawn(rng, 9, 3, 7, 6)
    compare(solution, -1e6 * table.abs(), indices, -weights.abs())
    weights[:, ::2] = 0.0
    compare(solution, table, indices, weights)
    assert_close(solution.weighted_bags(table, indices, 0 * weights), torch.zeros(7, 3, dtype=F64))


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    table, indices = rng.randn(4, 18, dtype=F64).T[::2], rng.randint(0, 9, (5, 12)).T[::2]
    weights = rng.randn(12, 10, dtype=F64)[::2, ::2]
    found = assert_not_mutated(solution.weighted_bags, table, indices, weights)
    assert_close(found, by_hand(table, indices, weights))
    compare(solution, -table, indices, weights)
    assert_deterministic(solution.weighted_bags, table, indices, weights)
