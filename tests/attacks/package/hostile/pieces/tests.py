"""Tests results of dtype bool, and an answer that calls functions which the test passes to it."""

import torch

from grader.testing import assert_close, check, points, sample


@sample
def test_positive(solution):
    """The result is not True exactly where the element is above zero."""
    assert_close(solution.positive(torch.tensor([-1.0, 2.0])), torch.tensor([False, True]))


@points(2)
def test_bytes_of_the_mask(solution, rng):
    """The mask is wrong."""
    x = rng.randn(5, 7)
    expected, result = x > 0, solution.positive(x)
    assert_close(result, expected)
    check(int(result.view(torch.uint8).max()) == 1, "a bool that is neither 0 nor 1")
    check(int(result.view(torch.uint8).sum()) == int(expected.sum()), "the number of elements is wrong")


@points(2)
def test_fold(solution, rng):
    """fold(f, xs) differs from f(… f(f(x0, x1), x2) …, xn)."""
    xs, calls = list(rng.randn(5, 3).unbind()), []

    def f(a, b):
        calls.append((a.clone(), b.clone()))
        return 2 * a + b

    expected = xs[0]
    for x in xs[1:]:
        expected = 2 * expected + x
    assert_close(solution.fold(f, xs), expected)
    check(len(calls) == 4, "f was not called once for each of the elements after the first")


@points(1)
def test_a_function_of_its_own(solution, rng):
    """fold(f, xs) does not use the f of this call."""
    xs, calls = list(rng.randn(3, 2).unbind()), []

    def f(a, b):
        calls.append(a.sum().item())
        return a * b

    expected = xs[0] * xs[1] * xs[2]
    assert_close(solution.fold(f, xs), expected)
    check(len(calls) == 2, "f was not called once for each of the elements after the first")
