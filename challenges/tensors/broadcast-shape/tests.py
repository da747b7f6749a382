"""Hidden tests: the rule of broadcasting."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

MANY = 250


def fitting(rng, operands, sizes=(1, 2, 3, 5)):
    """Shapes that fit together: each is a suffix of a common one with some sizes replaced by 1."""
    common = [rng.choice(sizes) for _ in range(rng.integer(0, 6))]
    shapes = []
    for _ in range(operands):
        start = rng.integer(0, len(common) + 1)
        shapes.append(tuple(1 if rng.integer(0, 3) == 0 else size for size in common[start:]))
    return shapes


def expected_of(shapes):
    try:
        return tuple(torch.broadcast_shapes(*shapes))
    except RuntimeError:
        return "ValueError"


def compare(actual, cases, expected, what):
    check(type(actual) is list and len(actual) == len(cases), "something else than one result for each case")
    for shapes, one, other in zip(cases, actual, expected, strict=True):
        if other == "ValueError":
            check(type(one) is str, f"{what}: {len(shapes)} shapes that do not fit together are not refused")
        else:
            check(type(one) is not str, f"{what}: {len(shapes)} shapes that fit together are refused")
            assert_close(one, other, name=what)


@sample
def test_two_shapes(solution):
    """Two shapes, aligned from the right."""
    assert_close(solution.broadcast_shape((3, 1), (1, 4)), (3, 4))
    assert_close(solution.broadcast_shape((32, 128), (128,)), (32, 128))


@sample
def test_conflict(solution):
    """(3, 4) and (3,) do not fit: 4 and 3 meet in the last column."""
    with pytest.raises(ValueError):
        solution.broadcast_shape((3, 4), (3,))


@sample
def test_summed_dims_of_a_bias(solution):
    """A bias was repeated along the batch, a column of one number per row along the columns."""
    assert_close(solution.summed_dims((128,), (32, 128)), (0,))
    assert_close(solution.summed_dims((32, 1), (32, 128)), (1,))


@points(2)
@pytest.mark.parametrize("operands", [2, 3, 5], ids=["two", "three", "five"])
def test_shapes_that_fit(solution, probes, rng, operands):
    """Hundreds of random shapes that fit together: alignment, missing dimensions and ones in all positions."""
    cases = [fitting(rng, operands) for _ in range(MANY)]
    compare(probes.shapes_of(cases), cases, [expected_of(c) for c in cases], "the result")


@points(2)
@pytest.mark.parametrize("operands", [2, 3], ids=["two", "three"])
def test_shapes_at_random(solution, probes, rng, operands):
    """Hundreds of random shapes, most of which do not fit together: refuse those, and only those."""
    sizes = (1, 1, 2, 3, 4, 6)
    cases = [[tuple(rng.choice(sizes) for _ in range(rng.integer(0, 3))) for _ in range(operands)] for _ in range(MANY)]
    compare(probes.shapes_of(cases), cases, [expected_of(c) for c in cases], "the result")


@points(2)
def test_size_zero(solution, probes, rng):
    """0 goes with 0 and with 1 and stays 0; with any other size it is a conflict."""
    n = rng.integer(2, 9)
    cases = [[(0,), (1,)], [(n, 0), (1,)], [(n, 1), (0,)], [(0,), (0,)], [(0, n), (n,)], [(0,), (n,)], [(n, n), (n, 0)]]
    expected = [(0,), (n, 0), (n, 0), (0,), (0, n), "ValueError", "ValueError"]
    compare(probes.shapes_of(cases), cases, expected, "sizes with a 0")


@points(1)
def test_a_conflict_behind_a_one(solution, probes, rng):
    """A conflict counts between any two of the shapes, also when a 1 stands between them."""
    n = rng.integer(2, 9)
    cases = [[(n,), (1,), (n + 1,)], [(1,), (n,), (n + 1,)], [(n, 1), (1, 1), (n + 2, 4)], [(4, n), (n,), (5, 1)]]
    compare(probes.shapes_of(cases), cases, ["ValueError"] * len(cases), "a conflict")


@points(1)
def test_no_multiples(solution, probes, rng):
    """A size is repeated only if it is 1: 2 does not fit 4, nor does the smaller of two sizes become one."""
    n = rng.integer(2, 9)
    cases = [[(n,), (2 * n,)], [(3 * n, 5), (n, 1)], [(n, 2), (n, 6)]]
    compare(probes.shapes_of(cases), cases, ["ValueError"] * len(cases), "multiples")


@points(1)
def test_hardly_any_shapes(solution, rng):
    """No shape gives (), one shape gives itself, and () goes with everything."""
    n = rng.integer(2, 9)
    assert_close(solution.broadcast_shape(), (), name="no shape")
    assert_close(solution.broadcast_shape(()), (), name="the shape ()")
    assert_close(solution.broadcast_shape((n, 1, 0)), (n, 1, 0), name="one shape")
    assert_close(solution.broadcast_shape((), (n, 1), ()), (n, 1), name="a shape beside ()")


@points(1)
@pytest.mark.parametrize("kind", [list, torch.Size], ids=["list", "size"])
def test_kinds_of_shapes(solution, rng, kind):
    """A shape may be a list or a torch.Size; the result is a plain tuple, also when only one shape is given."""
    n = rng.integer(2, 9)
    assert_close(solution.broadcast_shape(kind([n, 1]), (3,)), (n, 3))
    alone = solution.broadcast_shape(kind([n, 1]))
    check(type(alone) is tuple, "one shape alone does not give a plain tuple")
    assert_close(alone, (n, 1))


@points(1)
@pytest.mark.parametrize("place", ["alone", "with-a-one", "with-itself"])
def test_negative_sizes(solution, rng, place):
    """A negative size is no size: ValueError, even if every column agrees."""
    bad = (2, -rng.integer(1, 5))
    others = {"alone": [], "with-a-one": [(1, 1)], "with-itself": [bad]}[place]
    with pytest.raises(ValueError):
        solution.broadcast_shape(bad, *others)


@points(1)
def test_huge_sizes(solution, rng):
    """Shapes are numbers: nothing is to be made in these sizes."""
    n = 10**12 + rng.integer(0, 1000)
    assert_close(solution.broadcast_shape((n, 1), (1, n), (7, 1, 1)), (7, n, n))


@points(1)
def test_shapes_stay_as_they_are(solution):
    """A shape that is passed as a list must not be padded in place."""
    assert_not_mutated(solution.broadcast_shape, [4, 1, 2], [2], [5, 1])
    assert_not_mutated(solution.summed_dims, [2], [3, 2])


@points(2)
def test_summed_dims_at_random(solution, probes, rng):
    """Hundreds of random shapes: dimensions that are missing, and ones that were stretched, ascending from 0."""
    cases, expected = [], []
    for _ in range(MANY):
        shapes = fitting(rng, 2, sizes=(0, 1, 2, 3))
        out = tuple(torch.broadcast_shapes(*shapes))
        added = len(out) - len(shapes[0])
        stretched = [d + added for d, n in enumerate(shapes[0]) if n == 1 and out[d + added] != 1]
        cases.append((shapes[0], out))
        expected.append((*range(added), *stretched))
    assert_close(probes.summed(cases), expected, name="summed_dims")


@points(1)
def test_ones_that_stay_one(solution):
    """A 1 that is still 1 in the result was not repeated; a missing dimension counts whatever its size."""
    assert_close(solution.summed_dims((1, 3), (1, 3)), (), name="nothing repeated")
    assert_close(solution.summed_dims((3,), (1, 3)), (0,), name="a missing dimension of size 1")
    assert_close(solution.summed_dims((), (2, 1)), (0, 1), name="a scalar")


@points(1)
def test_stretched_to_nothing(solution):
    """A 1 can be stretched to 0 as well: its gradient is then a sum over nothing."""
    assert_close(solution.summed_dims((1, 4), (0, 4)), (0,))
    assert_close(solution.summed_dims((1,), (3, 0)), (0, 1))


@points(2)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_gradients_find_their_way_back(solution, rng, dtype):
    """Summing the incoming gradient over summed_dims must give what autograd gives."""
    shapes = [(4, 1, 3), (5, 1), (2, 1, 5, 3)]
    out = solution.broadcast_shape(*shapes)
    assert_close(out, (2, 4, 5, 3), name="broadcast_shape")
    leaves = [rng.randn(*shape, dtype=dtype).requires_grad_() for shape in shapes]
    cotangent = rng.randn(*out, dtype=dtype)
    (leaves[0] + leaves[1] + leaves[2]).backward(cotangent)
    for leaf in leaves:
        dims = solution.summed_dims(tuple(leaf.shape), out)
        check(type(dims) is tuple, "summed_dims does not give a tuple")
        back = (cotangent.sum(dims, keepdim=True) if dims else cotangent).reshape(leaf.shape)
        assert_close(back, leaf.grad, name="the gradient")
