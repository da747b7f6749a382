import pytest
import torch

from grader.testing import assert_close, assert_gradcheck, assert_not_mutated, assert_same_gradients, points, sample


@sample
def test_one_key(solution):
    """With a single key, the output is its value."""
    v = torch.randn(1, 1, 4)
    assert_close(solution.attention(v, v, v), v)


@sample
def test_equal_scores(solution):
    """With equal scores, the output is the mean of the values."""
    q, v = torch.zeros(1, 2, 4), torch.arange(8.0).reshape(1, 2, 4)
    assert_close(solution.attention(q, q, v), v.mean(1, keepdim=True).expand(1, 2, 4))


@pytest.mark.parametrize("shape", [(2, 5, 8), (2, 3, 7, 16), (1, 1, 1)])
def test_values(solution, reference, rng, shape):
    """The output is right for random inputs."""
    q, k, v = rng.randn(3, *shape).unbind()
    assert_close(solution.attention(q, k, v), reference.attention(q, k, v))


def test_double_precision(solution, reference, rng):
    """The output is right in float64."""
    q, k, v = rng.randn(3, 2, 6, 8, dtype=torch.float64).unbind()
    assert_close(solution.attention(q, k, v), reference.attention(q, k, v))


def test_large_scores(solution, reference, rng):
    """The output is right and finite for huge scores."""
    q, k, v = rng.randn(3, 2, 6, 8).unbind()
    assert_close(solution.attention(100 * q, 100 * k, v), reference.attention(100 * q, 100 * k, v))


@points(3)
def test_gradients(solution, reference, rng):
    """The gradients of all inputs are right."""
    assert_same_gradients(solution.attention, reference.attention, rng.randn(3, 2, 5, 8, dtype=torch.float64).unbind())


def test_gradients_numerically(solution, rng):
    """The gradients agree with finite differences."""
    assert_gradcheck(solution.attention, rng.randn(3, 1, 3, 4, dtype=torch.float64).unbind())


def test_inputs_are_left_alone(solution, rng):
    """The call does not change its inputs."""
    assert_not_mutated(solution.attention, *rng.randn(3, 2, 5, 8).unbind())
