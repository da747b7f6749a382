"""Contains two ordinary tests, for a challenge whose answers may use the loopback interface."""

from grader.testing import assert_close, points, sample


@sample
def test_one_key(solution, rng):
    """With a single key, the output differs from the value of this key."""
    v = rng.randn(1, 4)
    assert_close(solution.attention(v, v, v), v)


@points(2)
def test_values(solution, reference, rng):
    """The values differ from softmax(q kᵀ / √d) v."""
    q, k, v = rng.randn(2, 3, 5), rng.randn(2, 4, 5), rng.randn(2, 4, 5)
    expected = reference.attention(q, k, v)
    assert_close(solution.attention(q, k, v), expected)
