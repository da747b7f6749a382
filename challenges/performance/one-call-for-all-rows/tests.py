"""Hidden tests: nearest centres without a loop, with gradients."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
SIZES = [(7, 3, 2), (1, 5, 4), (11, 1, 3), (13, 6, 1), (2, 9, 5)]
EACH_SIZE = pytest.mark.parametrize("sizes", SIZES, ids=["7-3-2", "1-5-4", "11-1-3", "13-6-1", "2-9-5"])
MOST_OPERATORS = 150


def drawn(rng, sizes, dtype=torch.float64):
    n, k, d = sizes
    return rng.randn(n, d, dtype=dtype), rng.randn(k, d, dtype=dtype), 0.2 + rng.rand(d, dtype=dtype)


def table(x, centres, weights):
    """All distances, one centre after the other."""
    return torch.stack([((x - centre) ** 2 * weights).sum(1) for centre in centres], dim=1)


def check_assigned(found, x, centres, weights):
    check(isinstance(found, tuple) and len(found) == 2, "the result is no pair of index and distance")
    distances = table(x, centres, weights)
    index, distance = found
    check(index.dtype == torch.int64 and index.shape == (len(x),), "the indices must be int64 of shape (N,)")
    check(bool(((index >= 0) & (index < len(centres))).all()), "an index is the number of no centre")
    assert_close(distance.detach(), distances.amin(1), name="distance")
    assert_close(distances.gather(1, index[:, None])[:, 0], distances.amin(1), name="distance of the chosen centre")


@sample
@points(1)
def test_three_points(solution):
    """Two points are near the first centre, one near the second."""
    x, centres = torch.tensor([[0.0, 0.0], [4.0, 1.0], [9.0, 9.0]]), torch.tensor([[1.0, 0.0], [5.0, 5.0]])
    index, distance = solution.assign(x, centres, torch.tensor([1.0, 0.5]))
    assert_close(index, torch.tensor([0, 1, 1]), name="index")
    assert_close(distance, torch.tensor([1.0, 9.0, 24.0]), name="distance")


@sample
@points(1)
def test_weights_decide(solution):
    """A coordinate of weight 0 does not count."""
    x, centres = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 0.0], [1.0, 100.0]])
    index, distance = solution.assign(x, centres, torch.tensor([2.0, 0.0]))
    assert_close(index, torch.tensor([1]), name="index")
    assert_close(distance, torch.tensor([2.0]), name="distance")


@sample
@points(1)
def test_centres_learn(solution):
    """The gradient of a centre points away from its points."""
    centres = torch.tensor([[1.0], [10.0]], requires_grad=True)
    _, distance = solution.assign(torch.tensor([[3.0], [4.0]]), centres, torch.tensor([1.0]))
    distance.sum().backward()
    assert_close(centres.grad, torch.tensor([[-10.0], [0.0]]), name="gradient of the centres")


@points(2)
@DTYPES
@EACH_SIZE
def test_values(solution, rng, sizes, dtype):
    """Indices or distances are off for this number of points, centres and coordinates."""
    args = drawn(rng, sizes, dtype)
    check_assigned(solution.assign(*args), *args)


@points(3)
@EACH_SIZE
def test_gradients(solution, rng, sizes):
    """The distances have no history, or another gradient, for points, centres or weights."""
    args = drawn(rng, sizes)
    assert_same_gradients(
        lambda *a: solution.assign(*a)[1],
        lambda *a: table(*a).amin(1),
        args,
        names=("points", "centres", "weights"),
    )


@points(1)
def test_many_points(solution, rng):
    """A few hundred points and centres of random sizes."""
    args = drawn(rng, (rng.integer(100, 300), rng.integer(10, 30), rng.integer(3, 9)))
    check_assigned(solution.assign(*args), *args)


@points(2)
def test_far_from_the_origin(solution, rng):
    """Coordinates around 1000 in float32: differences first, squares afterwards."""
    x, centres, weights = drawn(rng, (40, 7, 3), torch.float32)
    check_assigned(solution.assign(x + 1000, centres + 1000, weights), x + 1000, centres + 1000, weights)


@points(2)
def test_two_clouds(solution, rng):
    """Coordinates around 1000 and around -1000: no shift of the origin brings both near 0."""
    x, centres, weights = drawn(rng, (40, 8, 3), torch.float32)
    x, centres = (t + 1000 * (-1) ** torch.arange(len(t))[:, None] for t in (x, centres))
    check_assigned(solution.assign(x, centres, weights), x, centres, weights)


@points(1)
def test_layouts(solution, rng):
    """Transposed and strided arguments are fine, and none is modified."""
    x = rng.randn(3, 20, dtype=torch.float64).T[::2]
    centres, weights = rng.randn(3, 4, dtype=torch.float64).T, rng.rand(6, dtype=torch.float64)[::2]
    check_assigned(assert_not_mutated(solution.assign, x, centres, weights), x, centres, weights)


@points(1)
@DTYPES
def test_no_points(solution, rng, dtype):
    """Without points both results are empty, with their dtypes."""
    _, centres, weights = drawn(rng, (1, 4, 3), dtype)
    index, distance = solution.assign(torch.zeros(0, 3, dtype=dtype), centres, weights)
    check(index.shape == (0,) and index.dtype == torch.int64, "the indices must be empty and int64")
    check(distance.shape == (0,) and distance.dtype == dtype, "the distances must be empty, in the dtype of the inputs")


@points(1)
def test_equally_near(solution):
    """Two centres at the same distance: either index will do."""
    x, centres = torch.tensor([[0.0, 0.0]]), torch.tensor([[5.0, 0.0], [0.0, 2.0], [2.0, 0.0]])
    check_assigned(solution.assign(x, centres, torch.ones(2)), x, centres, torch.ones(2))


@points(1)
def test_gradients_of_a_tie(solution):
    """Of several nearest centres one is returned, and the gradient is its own: it is not shared among them."""
    x = torch.tensor([[0.0, 0.0], [1.0, 1.0]], requires_grad=True)
    centres = torch.tensor([[0.0, 2.0], [2.0, 0.0], [0.0, 2.0]], requires_grad=True)
    index, distance = solution.assign(x, centres, torch.ones(2))
    distance.sum().backward()
    away = 2 * (x - centres[index]).detach()
    assert_close(x.grad, away, name="gradient of the points")
    assert_close(centres.grad, torch.zeros(3, 2).index_add(0, index, -away), name="gradient of the centres")


@points(1)
def test_gradient_of_a_zero_weight(solution, rng):
    """A weight of 0 has a gradient too: the square of the difference."""
    x, centres, weights = drawn(rng, (6, 4, 3))
    weights[1] = 0
    assert_same_gradients(
        lambda *a: solution.assign(*a)[1],
        lambda *a: table(*a).amin(1),
        (x, centres, weights),
        names=("points", "centres", "weights"),
    )


@points(1)
@pytest.mark.parametrize("nearest", [0, 1], ids=["first", "second"])
def test_nearly_equally_near(solution, nearest):
    """Distances in float64 that differ by a billionth still decide."""
    centres = torch.full((2, 1), 1 + 1e-9, dtype=torch.float64)
    centres[nearest] = 1
    one = torch.ones(1, dtype=torch.float64)
    index, _ = solution.assign(torch.zeros(1, 1, dtype=torch.float64), centres, one)
    check(index.tolist() == [nearest], "not the nearest centre: is the choice made in another dtype?")


@attested
@points(3)
@pytest.mark.parametrize("sizes", [(100, 2, 3), (3, 100, 3), (3, 2, 100)], ids=["points", "centres", "coordinates"])
def test_number_of_operators(solution, rng, attest, sizes):
    """The number of operators must not grow with the number of points, centres or coordinates."""
    seen = attest(solution.assign, *drawn(rng, sizes))
    calls = sum(count for name, count in seen.operators.items() if name.startswith("aten::"))
    check(calls <= MOST_OPERATORS, f"more than {MOST_OPERATORS} operators: is there a loop?")
