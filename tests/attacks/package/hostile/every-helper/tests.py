"""Uses a different helper of the test kit in each test. An answer that falsifies all of its results must fail every test."""

import math

import numpy as np
import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_gradcheck,
    assert_gradgradcheck,
    assert_ignores_mode,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    sample,
)


@pytest.fixture
def x(rng):
    return rng.randn(3, 4)


@pytest.fixture
def wide(rng):
    return rng.randn(2, 3, dtype=torch.float64)


@pytest.fixture
def sums(solution, reference, x):
    """Return the answer's sum, after checking that it is a Python float, and the reference's sum."""
    actual = solution.total(x)
    check(type(actual) is float, "a Python float is expected")
    return actual, reference.total(x)


@sample
def test_assert_close(solution):
    x = torch.tensor([1.1, 2.3])
    assert_close(solution.double(x), torch.tensor([2.2, 4.6]))


def test_assert_close_the_other_way_round(solution, x):
    assert_close(2 * x, solution.double(x))


def test_assert_close_where_nan_would_be_right(solution, x):
    assert_close(solution.double(x), 2 * x, equal_nan=True)


def test_assert_close_without_tolerance(solution, x):
    assert_close(solution.double(x), 2 * x, rtol=0.0, atol=0.0)


def test_the_reference_speaks_last(solution, reference, x):
    actual = solution.normal(x)
    assert_close(actual, reference.normal(x), equal_nan=True)


def test_tiny_values(solution, x):
    assert_close(solution.double(x * 1e-6), 2e-6 * x, atol=0.0)


def test_numbers(solution, reference, x):
    assert_close(solution.total(x), reference.total(x))


def test_pytest_approx(sums):
    assert sums[0] == pytest.approx(sums[1])


def test_pytest_approx_on_the_left(sums):
    assert pytest.approx(sums[1]) == sums[0]


def test_math_isclose(sums):
    assert math.isclose(*sums, rel_tol=1e-5)


def test_containers(solution, reference, x):
    assert_close(solution.parts(x), reference.parts(x))


@pytest.mark.parametrize("swapped", [False, True])
def test_torch_testing(solution, x, swapped):
    pair = solution.double(x), 2 * x
    torch.testing.assert_close(*(reversed(pair) if swapped else pair))


@pytest.mark.parametrize("swapped", [False, True])
def test_allclose(solution, x, swapped):
    actual, expected = solution.double(x), 2 * x
    check(actual.shape == expected.shape, "the shape is wrong")
    assert torch.allclose(expected, actual) if swapped else torch.allclose(actual, expected)


@pytest.mark.parametrize("swapped", [False, True])
def test_equal(solution, x, swapped):
    actual, expected = solution.double(x), 2 * x
    check(actual.dtype == expected.dtype, "the dtype is wrong")
    assert torch.equal(expected, actual) if swapped else torch.equal(actual, expected)


@pytest.mark.parametrize("swapped", [False, True])
def test_operator(solution, x, swapped):
    actual, expected = solution.double(x), 2 * x
    check(actual.shape == expected.shape and actual.dtype == expected.dtype, "shape or dtype is wrong")
    assert bool(((expected == actual) if swapped else (actual == expected)).all())


def test_numpy(solution, x):
    actual = solution.double(x).numpy()
    check(actual.dtype == np.float32, "the dtype is wrong")
    np.testing.assert_allclose(actual, 2 * x.numpy(), strict=True)


def test_the_largest_error(solution, reference, x):
    actual, expected = solution.normal(x), reference.normal(x)
    check(actual.shape == expected.shape and actual.dtype == expected.dtype, "shape or dtype is wrong")
    assert (actual - expected).abs().max() < 1e-5


def test_same_gradients(solution, reference, wide):
    assert_same_gradients(solution.normal, reference.normal, [wide])


def test_gradcheck(solution, reference, wide):
    assert_gradcheck(solution.normal, [wide])
    assert_close(solution.normal(wide), reference.normal(wide))


def test_gradients_by_numbers_alone(solution, wide):
    assert_gradcheck(solution.sine, [wide])
    assert_close(solution.sine(wide), wide.sin())


def test_gradgradcheck(solution, reference, wide):
    assert_gradgradcheck(solution.normal, [wide])
    assert_close(solution.normal(wide), reference.normal(wide))


def test_torch_gradcheck(solution, reference, wide):
    assert torch.autograd.gradcheck(solution.normal, [wide.requires_grad_()])
    assert_close(solution.normal(wide), reference.normal(wide))


def test_gradients_of_a_function_with_its_own_backward(solution, reference, wide):
    assert_same_gradients(solution.Cube.apply, reference.Cube.apply, [wide])


def test_deterministic(solution, reference, x):
    assert_close(assert_deterministic(solution.normal, x), reference.normal(x))


def test_not_mutated(solution, reference, x):
    assert_close(assert_not_mutated(solution.normal, x), reference.normal(x))


def test_module(solution, reference, x):
    assert_close(solution.Affine(4)(x), reference.Affine(4)(x))


def test_module_in_both_modes(solution, reference, x):
    module = solution.Affine(4)
    assert_ignores_mode(module, x)
    assert_close(module(x), reference.Affine(4)(x))


def test_state_dict(solution, reference, x):
    assert_state_dict_round_trip(lambda: solution.Affine(4), x)
    assert_close(solution.Affine(4)(x), reference.Affine(4)(x))


def test_parameters_learn(solution, reference, x):
    mine, theirs = solution.Affine(4), reference.Affine(4)
    outputs = mine(x), theirs(x)
    assert_close(*outputs)
    for output in outputs:
        output.square().mean().backward()
    for name, parameter in theirs.named_parameters():
        assert_close(dict(mine.named_parameters())[name].grad, parameter.grad, name=f"gradient of {name}")


def test_object(solution, x):
    running = solution.Running()
    running.add(x)
    running.add(3 * x)
    assert_close(running.mean(), 2 * x)
