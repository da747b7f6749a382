"""The hidden tests of the challenge that most attacks try to deceive. A test's docstring says what is wrong if the test fails.

The reference runs before the answer, because the answer may write to its arguments.
"""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample


def draw(rng, *lead, T=3, S=4, d=5):
    """Return a random q of shape (*lead, T, d), and random k and v of shape (*lead, S, d)."""
    return rng.randn(*lead, T, d), rng.randn(*lead, S, d), rng.randn(*lead, S, d)


@sample
def test_one_key(solution):
    """With a single key, the output differs from the value of this key."""
    v = torch.tensor([[1.0, 2.0, 3.0, 4.0]])
    expected = v.clone()
    assert_close(solution.attention(v, v, v), expected)


@points(2)
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)], ids=["plain", "batch", "heads"])
def test_values(solution, reference, rng, lead):
    """The values differ from softmax(q kᵀ / √d) v."""
    q, k, v = draw(rng, *lead)
    expected = reference.attention(q, k, v)
    assert_close(solution.attention(q, k, v), expected)


@points(2)
def test_gradients(solution, reference, rng):
    """The gradients differ from those of softmax(q kᵀ / √d) v."""
    inputs = [rng.randn(2, n, 4, dtype=torch.float64) for n in (3, 5, 5)]
    assert_same_gradients(solution.attention, reference.attention, inputs)


@points(1)
def test_keeps_its_inputs(solution, rng):
    """The arguments were written to."""
    assert_not_mutated(solution.attention, *draw(rng))


@points(1)
def test_results_are_its_own(solution, reference, rng):
    """An earlier result changed when the function was called again."""
    first, second = draw(rng), draw(rng)
    expected = reference.attention(*first)
    result = solution.attention(*first)
    solution.attention(*second)
    check(result.shape == expected.shape, "the shape is wrong")
    assert_close(result, expected)
