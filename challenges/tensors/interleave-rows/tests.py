"""Hidden tests: rows that alternate, and the way back."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64


def expected_rows(a, b):
    """Row by row."""
    rows = [row for pair in zip(a, b, strict=True) for row in pair]
    return torch.stack(rows)


@sample
@points(1)
def test_two_vectors(solution):
    """Odd and even numbers become 1 to 6."""
    assert_close(solution.interleave(torch.tensor([1, 3, 5]), torch.tensor([2, 4, 6])), torch.arange(1, 7))


@sample
@points(1)
def test_apart(solution):
    """1 to 6 become odd and even numbers."""
    expected = (torch.tensor([1, 3, 5]), torch.tensor([2, 4, 6]))
    assert_close(solution.deinterleave(torch.arange(1, 7)), expected, name="result")


@sample
@points(1)
def test_rows_of_a_matrix(solution):
    """Two matrices of one row: rows stay whole."""
    a, b = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[4.0, 5.0, 6.0]])
    assert_close(solution.interleave(a, b), torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))


SHAPES = pytest.mark.parametrize("shape", [(5,), (3, 2), (2, 3, 5)], ids=["vector", "matrix", "three-dimensions"])


@points(2)
@SHAPES
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_order(solution, rng, shape, dtype):
    """Row by row: a, b, a, b; and whole rows, whatever their shape."""
    a, b = rng.randn(*shape, dtype=dtype), rng.randn(*shape, dtype=dtype)
    assert_close(solution.interleave(a, b), expected_rows(a, b), rtol=0.0, atol=0.0)


@points(2)
@SHAPES
def test_apart_at_random(solution, rng, shape):
    """The even rows first, then the odd ones, in a tuple."""
    a, b = rng.randn(*shape), rng.randn(*shape)
    assert_close(solution.deinterleave(expected_rows(a, b)), (a, b), rtol=0.0, atol=0.0, name="result")


@points(1)
def test_round_trip(solution, rng):
    """Taking apart what was interleaved gives both tensors, and interleaving them again gives the whole."""
    x = rng.randn(6, 3)
    assert_close(solution.interleave(*solution.deinterleave(x)), x, rtol=0.0, atol=0.0)


OTHERS = ["bool", "uint8", "int8", "int64", "float16", "bfloat16", "complex64"]


def values(rng, name):
    """Three rows of two values of a dtype."""
    if name == "bool":
        return rng.mask(3, 2)
    if name.startswith(("float", "bfloat", "complex")):
        return rng.randn(3, 2, dtype=getattr(torch, name))
    if name == "int64":
        return 2 * rng.randint(2**60, 2**61, (3, 2)) + 1  # more digits than a float64 has
    return rng.randint(-128, 128, (3, 2)).to(getattr(torch, name))


@points(1)
@pytest.mark.parametrize("name", OTHERS)
def test_other_dtypes(solution, rng, name):
    """Numbers of any dtype keep dtype and value, on both ways: do not take a way through another dtype."""
    a, b = values(rng, name), values(rng, name)
    joined = expected_rows(a, b)
    assert_close(solution.interleave(a, b), joined, rtol=0.0, atol=0.0)
    assert_close(solution.deinterleave(joined), (a, b), rtol=0.0, atol=0.0, name="result")


@points(1)
def test_other_layouts(solution, rng):
    """Transposed and sliced tensors are read row by row as well."""
    a, b = rng.randn(3, 5).t(), rng.randn(10, 6)[::2, 1::2]
    assert_close(solution.interleave(a, b), expected_rows(a, b))
    x = rng.randn(3, 4).t()
    assert_close(solution.deinterleave(x), (x[[0, 2]], x[[1, 3]]), name="result")


@points(1)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)], ids=["vector", "no-rows", "empty-rows"])
def test_nothing_inside(solution, shape):
    """Tensors without elements have a shape, too."""
    a, whole = torch.zeros(shape), torch.zeros(2 * shape[0], *shape[1:])
    assert_close(solution.interleave(a, a.clone()), whole)
    assert_close(solution.deinterleave(whole), (a, a), name="result")


MISMATCHED = {
    "rows": lambda rng: (rng.randn(3, 2), rng.randn(2, 2)),
    "columns": lambda rng: (rng.randn(3, 2), rng.randn(3, 5)),
    "one-row": lambda rng: (rng.randn(3, 2), rng.randn(1, 2)),
    "fewer-dimensions": lambda rng: (rng.randn(3, 3), rng.randn(3)),
    "same-number-of-elements": lambda rng: (rng.randn(3, 2), rng.randn(2, 3)),
    "dtypes": lambda rng: (rng.randn(3, 2), rng.randn(3, 2, dtype=F64)),
    "no-dimension": lambda rng: (rng.randn(()), rng.randn(())),
}


@points(2)
@pytest.mark.parametrize("how", MISMATCHED)
def test_mismatched(solution, rng, how):
    """Tensors that do not match are refused with a ValueError, also where torch would broadcast or promote them."""
    with pytest.raises(ValueError):
        solution.interleave(*MISMATCHED[how](rng))


@points(2)
@pytest.mark.parametrize("shape", [(5, 2), (1,), ()], ids=["five-rows", "one-row", "no-dimension"])
def test_no_pairs(solution, rng, shape):
    """An odd number of rows cannot be taken apart: ValueError."""
    with pytest.raises(ValueError):
        solution.deinterleave(rng.randn(shape))


@points(2)
def test_gradients(solution, reference, rng):
    """Each row's gradient goes to the row that it came from."""
    a, b, x = rng.randn(3, 2, dtype=F64), rng.randn(3, 2, dtype=F64), rng.randn(6, 2, dtype=F64)
    assert_same_gradients(solution.interleave, reference.interleave, [a, b])
    assert_same_gradients(solution.deinterleave, reference.deinterleave, x)
    leaf = rng.randn(4, 2).requires_grad_()
    solution.deinterleave(leaf)[1].sum().backward()
    expected = torch.tensor([0.0, 1.0, 0.0, 1.0])[:, None].expand(4, 2)
    check(leaf.grad is not None, "no gradient reaches the tensor that was taken apart")
    assert_close(leaf.grad, expected.contiguous(), name="gradient of the odd rows")


@points(1)
def test_arguments_stay(solution, rng):
    """The arguments must stay as they are."""
    assert_not_mutated(solution.interleave, rng.randn(3, 2), rng.randn(3, 2))
    assert_not_mutated(solution.deinterleave, rng.randn(4, 2))
