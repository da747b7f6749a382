"""Hidden tests: cross entropy of a linear layer, with its gradients."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_deterministic, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def drawn(rng, n, d, classes, dtype=F64):
    return rng.randn(n, d, dtype=dtype), rng.randn(classes, d, dtype=dtype), rng.randint(0, classes, (n,))


def by_hand(hidden, weight, target):
    """The formulas in float64."""
    h, w = hidden.to(F64), weight.to(F64)
    z = h @ w.T
    one_hot = torch.zeros_like(z).scatter_(1, target[:, None], 1.0)
    slope = (z.softmax(1) - one_hot) / len(target)
    loss = (z.logsumexp(1) - (z * one_hot).sum(1)).mean()
    return tuple(t.to(hidden.dtype) for t in (loss, slope @ w, slope.T @ h))


def compare(found, hidden, weight, target):
    check(isinstance(found, tuple) and len(found) == 3, "the result must be a tuple of three tensors")
    names = ("the loss", "the gradient of hidden", "the gradient of weight")
    for name, actual, expected in zip(names, found, by_hand(hidden, weight, target), strict=True):
        assert_close(actual, expected, name=name)
        check(not actual.requires_grad, f"{name} asks for a gradient")


@sample
@points(1)
def test_by_hand(solution):
    """The example of the statement: probabilities (3/4, 1/4) and (1/2, 1/2)."""
    hidden, weight = torch.tensor([[math.log(3)], [0.0]]), torch.tensor([[1.0], [0.0]])
    loss, d_hidden, d_weight = solution.loss_and_gradients(hidden, weight, torch.tensor([0, 1]))
    assert_close(loss, torch.tensor((math.log(4 / 3) + math.log(2)) / 2), name="the loss")
    assert_close(d_hidden, torch.tensor([[-0.125], [0.25]]), name="the gradient of hidden")
    assert_close(d_weight, torch.tensor([[-math.log(3) / 8], [math.log(3) / 8]]), name="the gradient of weight")


@sample
@points(1)
def test_equal_scores(solution):
    """Weights of zero give equal scores for all four classes: the loss is log 4, and hidden gets no gradient."""
    loss, d_hidden, _ = solution.loss_and_gradients(torch.ones(5, 3), torch.zeros(4, 3), torch.tensor([0, 1, 2, 3, 0]))
    assert_close(loss, torch.tensor(math.log(4)), name="the loss")
    assert_close(d_hidden, torch.zeros(5, 3), name="the gradient of hidden")


@sample
@points(1)
def test_a_few_rows(solution, rng, exhibit):
    """Results differ for four rows and five classes."""
    args = drawn(rng, 4, 3, 5, F32)
    found = solution.loss_and_gradients(*args)
    exhibit.difference("the gradient of weight", found[2], by_hand(*args)[2])
    compare(found, *args)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 3, 7), (7, 1, 3), (5, 4, 1), (6, 6, 6), (13, 5, 11)], ids=str)
def test_sizes(solution, rng, sizes, dtype):
    """Results differ for some sizes: rows, features and classes are independent of each other."""
    args = drawn(rng, *sizes, dtype)
    # Redrawn while the loss is near 0, where the rounding of the scores is large beside it. One class alone always has loss 0.
    while sizes[2] > 1 and by_hand(*args)[0] < 0.1:
        args = drawn(rng, *sizes, dtype)
    compare(solution.loss_and_gradients(*args), *args)


@points(3)
@pytest.mark.parametrize("n", [31, 64, 100, 257, 1000])
def test_many_rows(solution, rng, n):
    """Results differ for many rows: is the last part shorter than the others, and is the mean taken over all rows?"""
    args = drawn(rng, n, 5, 19)
    compare(solution.loss_and_gradients(*args), *args)


@points(2)
@pytest.mark.parametrize("classes", [1000, 5000])
def test_many_classes(solution, rng, classes):
    """Results differ for many classes: does each of them count in the sum, and get its gradient, also the last ones?"""
    args = drawn(rng, 4, 3, classes)
    compare(solution.loss_and_gradients(*args), *args)


@points(2)
def test_one_class_for_all(solution, rng):
    """Rows with the same target add up in the gradient of its weights."""
    hidden, weight, target = drawn(rng, 40, 3, 6)
    compare(solution.loss_and_gradients(hidden, weight, torch.full_like(target, 4)), hidden, weight, target * 0 + 4)


@points(3)
@EACH_DTYPE
def test_large_scores(solution, dtype):
    """Scores of ±10⁴: the loss is exact and finite, and so are the gradients."""
    hidden = torch.tensor([[1e2], [-1e2], [1e2]], dtype=dtype)
    weight = torch.tensor([[1e2], [-1e2]], dtype=dtype)
    loss, d_hidden, d_weight = solution.loss_and_gradients(hidden, weight, torch.tensor([0, 0, 1]))
    assert_close(loss, torch.tensor(4e4 / 3, dtype=dtype), name="the loss")
    expected = torch.tensor([[0.0], [-200 / 3], [200 / 3]], dtype=dtype)
    assert_close(d_hidden, expected, name="the gradient of hidden")
    expected = torch.tensor([[200 / 3], [-200 / 3]], dtype=dtype)
    assert_close(d_weight, expected, name="the gradient of weight")


@points(2)
def test_rows_of_very_different_size(solution, rng):
    """Scores of one row lie far below those of another: each row has a maximum of its own."""
    hidden, weight, target = drawn(rng, 12, 4, 9)
    hidden = hidden * torch.logspace(-2, 3, 12, dtype=F64)[:, None]
    compare(solution.loss_and_gradients(hidden, weight, target), hidden, weight, target)


@points(2)
def test_gradients_are_slopes(solution, rng):
    """A small step along a direction changes the loss by the step times the slope that the gradients promise."""
    hidden, weight, target = drawn(rng, 9, 4, 7)
    _, d_hidden, d_weight = solution.loss_and_gradients(hidden, weight, target)
    u, v = rng.randn(9, 4, dtype=F64), rng.randn(7, 4, dtype=F64)
    step = 1e-4
    after = solution.loss_and_gradients(hidden + step * u, weight + step * v, target)[0]
    before = solution.loss_and_gradients(hidden - step * u, weight - step * v, target)[0]
    slope = (d_hidden * u).sum() + (d_weight * v).sum()
    assert_close((after - before) / (2 * step), slope, rtol=1e-5, atol=1e-6, name="the slope along a direction")


@points(1)
def test_shifted_scores(solution, rng):
    """The same vector added to all rows of weight moves all scores of a row together: the loss stays."""
    hidden, weight, target = drawn(rng, 8, 3, 5)
    loss, _, d_weight = solution.loss_and_gradients(hidden, weight + 2.0, target)
    assert_close(loss, solution.loss_and_gradients(hidden, weight, target)[0], name="the loss")
    assert_close(d_weight.sum(0), torch.zeros(3, dtype=F64), name="the sum of the gradient over the classes")


@points(1)
def test_leaves_that_ask_for_gradients(solution, rng):
    """Arguments that ask for gradients are ordinary arguments, and get none in `.grad`."""
    hidden, weight, target = drawn(rng, 8, 3, 5)
    leaves = hidden.clone().requires_grad_(), weight.clone().requires_grad_()
    compare(solution.loss_and_gradients(*leaves, target), hidden, weight, target)
    check(leaves[0].grad is None and leaves[1].grad is None, "`.grad` of an argument was written")


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, views are ordinary inputs, and a second call does not know of the first."""
    hidden, weight = rng.randn(4, 40, dtype=F64).T, rng.randn(12, 8, dtype=F64)[::2, ::2]
    target = rng.randint(0, 6, (80,))[::2]
    found = assert_not_mutated(solution.loss_and_gradients, hidden, weight, target)
    compare(found, hidden, weight, target)
    compare(solution.loss_and_gradients(-hidden, weight, target), -hidden, weight, target)
    assert_deterministic(solution.loss_and_gradients, hidden, weight, target)
