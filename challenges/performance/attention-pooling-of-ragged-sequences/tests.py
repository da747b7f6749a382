"""Hidden tests: softmax-weighted sums over sequences that lie end to end."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def drawn(rng, lengths, d, dtype=F64):
    n = sum(lengths)
    return rng.randn(n, dtype=dtype), rng.randn(n, d, dtype=dtype), torch.tensor(lengths, dtype=torch.int64)


def by_hand(scores, values, lengths):
    """One sequence at a time, in float64."""
    out, start = torch.zeros(len(lengths), values.shape[1], dtype=F64), 0
    for s, length in enumerate(lengths.tolist()):
        if length:
            part = slice(start, start + length)
            out[s] = scores[part].to(F64).softmax(0) @ values[part].to(F64)
        start += length
    return out.to(values.dtype)


def compare(solution, scores, values, lengths):
    assert_close(solution.pooled(scores, values, lengths), by_hand(scores, values, lengths))


@sample
@points(1)
def test_by_hand(solution):
    """Equal scores give the mean of a sequence, a single row gives itself, and an empty sequence gives zeros."""
    values = torch.tensor([[1.0, 2.0], [3.0, 6.0], [5.0, 5.0]])
    found = solution.pooled(torch.tensor([0.0, 0.0, 7.0]), values, torch.tensor([2, 0, 1]))
    assert_close(found, torch.tensor([[2.0, 4.0], [0.0, 0.0], [5.0, 5.0]]))


@sample
@points(1)
def test_weights_by_hand(solution):
    """Scores of 0 and ln 3 weigh the two rows 1 : 3."""
    found = solution.pooled(
        torch.tensor([0.0, math.log(3.0)]), torch.tensor([[8.0, 4.0], [0.0, 8.0]]), torch.tensor([2])
    )
    assert_close(found, torch.tensor([[2.0, 7.0]]))


@sample
@points(1)
def test_three_sequences(solution, rng, exhibit):
    """Values differ for sequences of two, five and one rows."""
    args = drawn(rng, [2, 5, 1], 3, F32)
    exhibit.difference("three sequences", solution.pooled(*args), by_hand(*args))
    compare(solution, *args)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize(
    "lengths",
    [[1], [7], [1, 1, 1], [3, 5], [4, 1, 6, 2], [2] * 40, [50, 1, 1, 20]],
    ids=lambda n: f"{len(n)}-of-{sum(n)}",
)
def test_lengths(solution, rng, lengths, dtype):
    """Values differ for some lengths: one sequence, sequences of one row, long ones beside short ones."""
    for d in (1, 5):
        compare(solution, *drawn(rng, lengths, d, dtype))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("where", ["first", "last", "between", "several"])
def test_empty_sequences(solution, rng, where, dtype):
    """An empty sequence gives zeros and takes nothing from its neighbours, at the start, at the end and between."""
    lengths = {"first": [0, 3, 2], "last": [3, 2, 0], "between": [3, 0, 2], "several": [0, 0, 4, 0, 0, 1, 0]}[where]
    compare(solution, *drawn(rng, lengths, 3, dtype))


@points(2)
def test_nothing_at_all(solution):
    """Without rows, all sequences are empty; without sequences, the result has no rows."""
    found = solution.pooled(torch.zeros(0), torch.zeros(0, 3), torch.zeros(2, dtype=torch.int64))
    assert_close(found, torch.zeros(2, 3))
    found = solution.pooled(torch.zeros(0), torch.zeros(0, 3), torch.zeros(0, dtype=torch.int64))
    assert_close(found, torch.zeros(0, 3))


@points(3)
@EACH_DTYPE
def test_large_scores(solution, rng, dtype):
    """Scores of a million, of both signs: each sequence needs its own maximum."""
    scores, values, lengths = drawn(rng, [4, 3, 5, 1, 6], 2, dtype)
    scores += torch.tensor([999_990, -999_990, 0, -999_990, 300_000], dtype=dtype).repeat_interleave(lengths)
    found = solution.pooled(scores, values, lengths)
    check(bool(found.isfinite().all()), "a result is not finite")
    assert_close(found, by_hand(scores, values, lengths))


@points(2)
@EACH_DTYPE
def test_precise_beside_others(solution, rng, dtype):
    """A small sequence after a very large one: a running sum over all rows loses its digits."""
    scores, values, lengths = drawn(rng, [6, 6, 6], 3, dtype)
    values[:6] *= 1e6
    found = solution.pooled(scores, values, lengths)
    expected = by_hand(scores, values, lengths)
    for s in (1, 2):
        assert_close(found[s], expected[s], name="a sequence after a large one")


@points(2)
def test_shift(solution, rng):
    """A number added to all scores of a sequence changes nothing."""
    scores, values, lengths = drawn(rng, [3, 1, 8, 2], 4)
    shift = torch.tensor([5.0, -3.0, 40.0, -60.0], dtype=F64).repeat_interleave(lengths)
    assert_close(solution.pooled(scores + shift, values, lengths), solution.pooled(scores, values, lengths), scale=10.0)


@points(2)
def test_order_of_sequences(solution, rng):
    """Sequences in another order give the results in that order."""
    one, two = drawn(rng, [5], 3), drawn(rng, [2], 3)
    there = solution.pooled(*(torch.cat(pair) for pair in zip(one, two, strict=True)))
    back = solution.pooled(*(torch.cat(pair) for pair in zip(two, one, strict=True)))
    assert_close(there, back.flip(0))


@points(1)
def test_many_sequences(solution, rng):
    """A thousand sequences, many of them empty."""
    lengths = rng.randint(0, 6, (1000,))
    n = int(lengths.sum())
    compare(solution, -1 - 3 * rng.rand(n), 1e5 * rng.randn(n, 3), lengths)


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    scores, values = rng.randn(20, dtype=F64)[::2], rng.randn(4, 20, dtype=F64).T[::2]
    lengths = torch.tensor([3, 9, 0, 9, 5, 9, 2, 9])[::2]
    found = assert_not_mutated(solution.pooled, scores, values, lengths)
    assert_close(found, by_hand(scores, values, lengths))
    compare(solution, -scores, values, lengths)
    assert_deterministic(solution.pooled, scores, values, lengths)
