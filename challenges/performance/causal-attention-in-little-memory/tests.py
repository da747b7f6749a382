"""Hidden tests: causal attention."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def draw(rng, heads, length, width, other, dtype=F32):
    return tuple(rng.randn(heads, length, size, dtype=dtype) for size in (width, width, other))


def by_hand(q, k, v):
    """One query at a time, in float64."""
    q, k, v = q.to(F64), k.to(F64), v.to(F64)
    rows = []
    for t in range(q.shape[1]):
        scores = (k[:, : t + 1] @ q[:, t, :, None])[..., 0] / math.sqrt(q.shape[-1])
        rows.append((scores.softmax(-1)[:, None] @ v[:, : t + 1])[:, 0])
    return torch.stack(rows, 1)


def compare(solution, q, k, v, scale=1.0):
    assert_close(solution.causal_attention(q, k, v), by_hand(q, k, v).to(v.dtype), scale=scale)


@sample
@points(1)
def test_running_mean(solution):
    """With equal scores, each position gives the mean of the values up to itself: 4, 3, 2, 3."""
    v = torch.tensor([[[4.0], [2.0], [0.0], [6.0]]])
    found = solution.causal_attention(torch.zeros(1, 4, 2), torch.ones(1, 4, 2), v)
    assert_close(found, torch.tensor([[[4.0], [3.0], [2.0], [3.0]]]))


@sample
@points(1)
def test_weights_by_hand(solution):
    """Scores of 0 and ln 3 give the weights 1/4 and 3/4: the width of 4 divides the product by 2."""
    q = torch.full((1, 2, 4), 1.0)
    k = torch.tensor([[[0.0] * 4, [math.log(3) / 2] * 4]])
    v = torch.tensor([[[8.0, 0.0], [0.0, 4.0]]])
    assert_close(solution.causal_attention(q, k, v), torch.tensor([[[8.0, 0.0], [2.0, 3.0]]]))


@sample
@points(1)
def test_a_short_sequence(solution, rng, exhibit):
    """Values differ for five positions and two heads."""
    q, k, v = draw(rng, 2, 5, 3, 4)
    found = solution.causal_attention(q, k, v)
    exhibit.difference("five positions, two heads", found, by_hand(q, k, v).float())
    compare(solution, q, k, v)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1), (3, 1, 2, 5), (2, 7, 5, 3), (5, 11, 1, 2), (1, 64, 8, 8), (2, 65, 4, 7)], ids=str
)
def test_sizes(solution, rng, sizes, dtype):
    """Values differ for some sizes: one position, one feature, values of another width, lengths that no block divides."""
    compare(solution, *draw(rng, *sizes, dtype))


@points(3)
@pytest.mark.parametrize("length", [127, 192, 301])
def test_long_sequences(solution, rng, length):
    """Values differ for long sequences: is the end of the last block there, and the start of each block masked?"""
    compare(solution, *draw(rng, 2, length, 8, 5, F64))


@points(3)
def test_the_future_is_not_seen(solution, rng):
    """What comes later changes an earlier result: every position sees itself and what is before it."""
    q, k, v = draw(rng, 2, 90, 4, 3, F64)
    before = solution.causal_attention(q, k, v)
    for t in (1, 40, 64, 89):
        later_k, later_v = k.clone(), v.clone()
        later_k[:, t:] = 5 * rng.randn(2, 90 - t, 4, dtype=F64)
        later_v[:, t:] = 5 * rng.randn(2, 90 - t, 3, dtype=F64)
        after = solution.causal_attention(q, later_k, later_v)
        assert_close(after[:, :t], before[:, :t], name=f"positions before {t}")


@points(2)
def test_a_prefix_is_a_sequence(solution, rng):
    """The result of a prefix is the prefix of the result."""
    q, k, v = draw(rng, 2, 70, 4, 3, F64)
    whole = solution.causal_attention(q, k, v)
    for t in (1, 33, 64):
        assert_close(solution.causal_attention(q[:, :t], k[:, :t], v[:, :t]), whole[:, :t], name=f"the first {t}")


@points(2)
def test_heads_are_independent(solution, rng):
    """Heads in another order give the results in that order."""
    q, k, v = draw(rng, 4, 9, 3, 2, F64)
    order = torch.tensor([2, 0, 3, 1])
    found = solution.causal_attention(q[order], k[order], v[order])
    assert_close(found, solution.causal_attention(q, k, v)[order])
    compare(solution, q, k, v)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sign", [1, -1], ids=["growing", "falling"])
def test_large_scores(solution, rng, sign, dtype):
    """Scores of up to a million, growing or falling with the position: subtract a maximum that is in the row."""
    length = 100
    place = torch.arange(length, dtype=dtype)[rng.permutation(length)]
    q = torch.full((1, length, 1), 1000.0, dtype=dtype)
    k = (sign * 10 * place)[None, :, None]
    v = rng.randn(1, length, 3, dtype=dtype)
    found = solution.causal_attention(q, k, v)
    check(bool(found.isfinite().all()), "a result is not finite")
    assert_close(found, by_hand(q, k, v).to(dtype))


@points(2)
def test_shifted_keys(solution, rng):
    """The same vector added to all keys changes nothing: it moves all scores of a query by the same amount."""
    q, k, v = draw(rng, 2, 20, 4, 3, F64)
    shift = rng.randn(2, 1, 4, dtype=F64)
    assert_close(solution.causal_attention(q, k + shift, v), solution.causal_attention(q, k, v), scale=10.0)


@points(1)
def test_negative_queries_and_large_values(solution, rng):
    """Queries with a negative sum, and values of a million, are ordinary inputs."""
    q, k, v = draw(rng, 1, 12, 3, 4, F64)
    compare(solution, -1 - q.abs(), k, 1e6 * v)


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    q, k = rng.randn(2, 4, 10, dtype=F64).mT, rng.randn(10, 2, 4, dtype=F64).transpose(0, 1)
    v = rng.randn(4, 20, 6, dtype=F64)[::2, ::2, ::2]
    found = assert_not_mutated(solution.causal_attention, q, k, v)
    assert_close(found, by_hand(q, k, v))
    compare(solution, -q, k, v)
    assert_deterministic(solution.causal_attention, q, k, v)
