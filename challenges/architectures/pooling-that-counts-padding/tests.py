"""Hidden tests: three poolings against each sequence alone."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

KINDS = ("mean", "max", "attention")
EACH_KIND = pytest.mark.parametrize("kind", KINDS)
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
LENGTHS = torch.tensor([2, 7, 1, 4])
PADDING = {"zero": 0.0, "large": 1e6, "small": -1e6, "infinite": float("inf"), "nan": float("nan")}


def pooled(solution, kind, x, scores, lengths):
    if kind == "attention":
        return solution.attention_pool(x, scores, lengths)
    return solution.mean_pool(x, lengths) if kind == "mean" else solution.max_pool(x, lengths)


def alone(kind, x, scores, lengths):
    """Each sequence cut to its length, so that there is no padding."""
    rows = []
    for row, score, n in zip(x, scores, lengths.tolist(), strict=True):
        row, weights = row[:n], score[:n].softmax(0)
        found = {"mean": lambda: row.mean(0), "max": lambda: row.amax(0), "attention": lambda: weights @ row}[kind]
        rows.append(found() if n else 0 * row.sum(0))
    return torch.stack(rows)


def drawn(rng, lengths=LENGTHS, width=7, features=3, dtype=torch.float64, shift=0.0):
    x = rng.randn(len(lengths), width, features, dtype=dtype) + shift
    return x, rng.randn(len(lengths), width, dtype=dtype)


def padding_of(x, lengths):
    return torch.arange(x.shape[1]) >= lengths[:, None]


@sample
@points(1)
def test_mean_of_two(solution):
    """A sequence of two steps in a batch of width four: its mean is over two."""
    x = torch.tensor([[[4.0], [2.0], [0.0], [0.0]]])
    assert_close(solution.mean_pool(x, torch.tensor([2])), torch.tensor([[3.0]]))


@sample
@points(1)
def test_maximum_below_zero(solution):
    """All real values are negative, so the maximum is."""
    x = torch.tensor([[[-4.0], [-2.0], [0.0]]])
    assert_close(solution.max_pool(x, torch.tensor([2])), torch.tensor([[-2.0]]))


@sample
@points(1)
def test_equal_scores(solution):
    """With equal scores the weighted sum is the mean of the real steps."""
    x = torch.tensor([[[4.0], [2.0], [9.0]]])
    assert_close(solution.attention_pool(x, torch.zeros(1, 3), torch.tensor([2])), torch.tensor([[3.0]]))


@points(3)
@EACH_KIND
@pytest.mark.parametrize("shift", [0.0, -5.0, 5.0], ids=["mixed", "negative", "positive"])
def test_values_and_gradients(solution, rng, kind, shift):
    """A result or a gradient is not the one that the sequence gets alone."""
    x, scores = drawn(rng, shift=shift)
    if kind == "attention":
        assert_same_gradients(
            lambda x, scores: solution.attention_pool(x, scores, LENGTHS),
            lambda x, scores: alone(kind, x, scores, LENGTHS),
            (x, scores),
            names=("x", "scores"),
        )
    else:
        assert_same_gradients(
            lambda x: pooled(solution, kind, x, scores, LENGTHS),
            lambda x: alone(kind, x, scores, LENGTHS),
            (x,),
            names=("x",),
        )


@points(2)
@EACH_KIND
@EACH_DTYPE
def test_dtypes(solution, rng, kind, dtype):
    """The result has the dtype of x and is computed in it."""
    for _ in range(2):
        x, scores = drawn(rng, dtype=dtype)
        assert_close(pooled(solution, kind, x, scores, LENGTHS), alone(kind, x, scores, LENGTHS))


@points(3)
@EACH_KIND
@pytest.mark.parametrize("value", list(PADDING.values()), ids=list(PADDING))
def test_content_of_the_padding(solution, rng, kind, value):
    """What stands in the padding must not matter, for results and for gradients: select real positions."""
    x, scores = drawn(rng)
    padded = padding_of(x, LENGTHS)
    expected = alone(kind, x, scores, LENGTHS)
    dirty = x.masked_fill(padded.unsqueeze(-1), value).requires_grad_()
    dirty_scores = scores.masked_fill(padded, value).requires_grad_()
    found = pooled(solution, kind, dirty, dirty_scores, LENGTHS)
    assert_close(found.detach(), expected)
    found.square().sum().backward()
    used = (dirty, dirty_scores) if kind == "attention" else (dirty,)
    for tensor in used:
        check(tensor.grad is not None and bool(tensor.grad.isfinite().all()), "a gradient is missing or not finite")
        check(bool((tensor.grad[padded] == 0).all()), "the gradient at a padded position is not 0")


@points(2)
@EACH_KIND
def test_neighbours(solution, rng, kind):
    """The result of a sequence depends on the other sequences, or on the width of the batch."""
    x, scores = drawn(rng)
    whole = pooled(solution, kind, x, scores, LENGTHS)
    for b, n in enumerate(LENGTHS.tolist()):
        one = pooled(solution, kind, x[b : b + 1, :n], scores[b : b + 1, :n], LENGTHS[b : b + 1])
        assert_close(one, whole[b : b + 1], name="a sequence alone")


@points(2)
@EACH_KIND
@EACH_DTYPE
def test_length_zero(solution, rng, kind, dtype):
    """A sequence of length 0 gives zeros and finite gradients; its neighbours are as before."""
    lengths = torch.tensor([3, 0, 5])
    x, scores = drawn(rng, lengths, 5, dtype=dtype)
    leaf, score_leaf = x.clone().requires_grad_(), scores.clone().requires_grad_()
    found = pooled(solution, kind, leaf, score_leaf, lengths)
    assert_close(found.detach(), alone(kind, x, scores, lengths))
    check(bool((found[1] == 0).all()), "a sequence of length 0 must give zeros")
    found.sum().backward()
    for tensor in (leaf, score_leaf) if kind == "attention" else (leaf,):
        check(bool(tensor.grad.isfinite().all()), "a gradient is not finite")
        check(bool((tensor.grad[1] == 0).all()), "a sequence of length 0 must have gradients of 0")


@points(1)
@EACH_KIND
def test_nothing_real(solution, rng, kind):
    """A batch in which all lengths are 0 gives zeros."""
    lengths = torch.tensor([0, 0])
    x, scores = drawn(rng, lengths, 3)
    assert_close(pooled(solution, kind, x, scores, lengths), torch.zeros(2, 3, dtype=torch.float64))


@points(1)
@EACH_DTYPE
def test_large_scores(solution, rng, dtype):
    """Real scores of ten thousand, of either sign: the softmax must stay finite."""
    x, scores = drawn(rng, dtype=dtype)
    for factor in (1e4, -1e4):
        big = factor * scores.sign() + scores
        assert_close(solution.attention_pool(x, big, LENGTHS), alone("attention", x, big, LENGTHS))
    low = scores - 1e4
    assert_close(solution.attention_pool(x, low, LENGTHS), alone("attention", x, low, LENGTHS))


@points(1)
@EACH_DTYPE
def test_far_below_zero(solution, rng, dtype):
    """The largest of real values may be any number, however far it is below zero."""
    x, scores = drawn(rng, dtype=dtype)
    low = 1e20 * x - 1e22
    assert_close(solution.max_pool(low, LENGTHS), alone("max", low, scores, LENGTHS))


@points(1)
@EACH_DTYPE
def test_lowest_numbers(solution, rng, dtype):
    """The largest real value may be near the lowest number of the dtype, or minus infinity: what is below all of them?"""
    x, scores = drawn(rng, dtype=dtype)
    lowest = torch.finfo(dtype).min
    low = lowest * (0.5 + 0.4 * x.sigmoid())
    low[0, :2, 0], low[1, :, 1], low[2, 0] = lowest, lowest, -torch.inf
    low[3, 1:4, 2], low[3, 0, 2] = -torch.inf, lowest / 2
    for value in (0.0, lowest / 4, lowest, -torch.inf):
        filled = low.masked_fill(padding_of(x, LENGTHS).unsqueeze(-1), value)
        assert_close(solution.max_pool(filled, LENGTHS), alone("max", filled, scores, LENGTHS))


@points(1)
@EACH_KIND
def test_one_of_everything(solution, rng, kind):
    """One sequence, one step, one feature: no dimension may disappear."""
    x, scores = drawn(rng, torch.tensor([1]), 1, 1)
    assert_close(pooled(solution, kind, x, scores, torch.tensor([1])), x[:, 0])


@points(1)
@EACH_KIND
def test_layouts_in_memory(solution, rng, kind):
    """Inputs that are not contiguous are tensors like any other, and nothing is changed in place."""
    x = rng.randn(7, 3, 4, dtype=torch.float64).permute(2, 0, 1)
    scores = rng.randn(7, 4, dtype=torch.float64).T
    entry = {"mean": solution.mean_pool, "max": solution.max_pool, "attention": solution.attention_pool}[kind]
    args = (x, scores, LENGTHS) if kind == "attention" else (x, LENGTHS)
    assert_close(assert_not_mutated(entry, *args), alone(kind, x, scores, LENGTHS))


@points(1)
def test_by_finite_differences(solution, rng):
    """Gradients agree with finite differences."""
    lengths = torch.tensor([2, 3])
    x, scores = drawn(rng, lengths, 3, 2)
    assert_gradcheck(lambda x, scores: solution.attention_pool(x, scores, lengths), (x, scores))
    assert_gradcheck(lambda x: solution.mean_pool(x, lengths), (x,))
