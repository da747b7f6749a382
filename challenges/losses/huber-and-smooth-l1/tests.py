"""Hidden tests: Huber and smooth L1."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
SHAPES = {"number": (), "row": (7,), "batch": (5, 3), "images": (2, 3, 2, 5)}
EACH_SHAPE = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
EACH_REDUCTION = pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
THRESHOLDS = [0.001, 0.3, 1, 2.5, 50.0]


def data(rng, shape, dtype=F64, size=2.0):
    return size * rng.randn(*shape, dtype=dtype), size * rng.randn(*shape, dtype=dtype)


def check_huber(solution, pred, target, delta, reduction="mean"):
    expected = lambda p, t: F.huber_loss(p, t, delta=delta, reduction=reduction)  # noqa: E731
    found = lambda p, t: solution.huber(p, t, delta, reduction)  # noqa: E731
    assert_same_gradients(found, expected, (pred, target), names=("pred", "target"))


def check_smooth(solution, pred, target, beta, reduction="mean"):
    expected = lambda p, t: F.smooth_l1_loss(p, t, beta=beta, reduction=reduction)  # noqa: E731
    found = lambda p, t: solution.smooth_l1(p, t, beta, reduction)  # noqa: E731
    assert_same_gradients(found, expected, (pred, target), names=("pred", "target"))


@sample
@points(1)
def test_huber_by_hand(solution):
    """With delta 2, an error of 1 costs 1/2, one of 2 costs 2, and one of -3 costs 2 (3 - 1) = 4."""
    loss = solution.huber(torch.tensor([1.0, 2.0, -3.0]), torch.zeros(3), 2.0, "none")
    assert_close(loss, torch.tensor([0.5, 2.0, 4.0]))


@sample
@points(1)
def test_smooth_l1_by_hand(solution):
    """With beta 2, an error of 1 costs 1/4, one of 2 costs 1, and one of -3 costs 3 - 1 = 2."""
    loss = solution.smooth_l1(torch.tensor([1.0, 2.0, -3.0]), torch.zeros(3), 2.0, "none")
    assert_close(loss, torch.tensor([0.25, 1.0, 2.0]))


@sample
@points(1)
def test_mean_of_a_batch(solution):
    """The mean of a batch of two rows with three numbers divides by six."""
    pred = torch.tensor([[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert_close(solution.huber(pred, torch.zeros(2, 3)), torch.tensor(2.5 / 6))


@points(2)
@EACH_SHAPE
@EACH_REDUCTION
def test_shapes_and_reductions(solution, rng, shape, reduction):
    """A value or a gradient is wrong for some shape or reduction."""
    pred, target = data(rng, shape)
    check_huber(solution, pred, target, 1.3, reduction)
    check_smooth(solution, pred, target, 1.3, reduction)


@points(2)
@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_thresholds(solution, rng, threshold):
    """For some threshold a value or a gradient is wrong: the two pieces must meet at the joint, in value and in slope."""
    pred, target = data(rng, (9, 3))
    check_huber(solution, pred, target, threshold)
    check_smooth(solution, pred, target, threshold)


@points(2)
@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_one_factor_between_them(solution, rng, threshold):
    """The Huber loss is its threshold times the smooth L1 loss: the two are not one loss."""
    pred, target = data(rng, (4, 5), size=threshold)
    assert_close(
        solution.huber(pred, target, threshold, "none"), threshold * solution.smooth_l1(pred, target, threshold, "none")
    )
    check_huber(solution, pred, target, threshold, "sum")


@points(1)
@EACH_DTYPE
def test_at_the_joint(solution, rng, dtype):
    """An error that equals the threshold, and one of 0: both pieces give the same there."""
    target = rng.randn(4, dtype=dtype).round()
    pred = target + torch.tensor([2.0, -2.0, 0.0, 2.25], dtype=dtype)
    check_huber(solution, pred, target, 2.0, "none")
    check_smooth(solution, pred, target, 2.0, "none")


@points(2)
@EACH_REDUCTION
def test_beta_zero(solution, rng, reduction):
    """With beta = 0 smooth L1 is the absolute error: finite, with the gradient 0 where the error is 0."""
    pred, target = data(rng, (4, 3))
    target[0] = pred[0]
    check_smooth(solution, pred, target, 0.0, reduction)
    check_smooth(solution, pred, target, 0, reduction)


@points(1)
def test_defaults(solution, rng):
    """Thresholds are 1 and the reduction is the mean unless given."""
    pred, target = data(rng, (5, 3))
    assert_close(solution.huber(pred, target), F.huber_loss(pred, target))
    assert_close(solution.smooth_l1(pred, target), F.smooth_l1_loss(pred, target))
    assert_close(solution.huber(pred, target, delta=3.0), F.huber_loss(pred, target, delta=3.0))
    assert_close(solution.smooth_l1(pred, target, reduction="sum"), F.smooth_l1_loss(pred, target, reduction="sum"))


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """The result has the dtype of the inputs."""
    pred, target = data(rng, (5, 3), dtype)
    check_huber(solution, pred, target, 1.5)
    check_smooth(solution, pred, target, 1.5)


@points(2)
@EACH_DTYPE
def test_large_errors(solution, rng, dtype):
    """An error of a million is not cut off, and its gradient is that of the straight line."""
    pred, target = 1e6 * rng.randn(7, dtype=dtype), torch.zeros(7, dtype=dtype)
    check_huber(solution, pred, target, 2.0, "none")
    check_smooth(solution, pred, target, 2.0, "none")


@points(1)
@pytest.mark.parametrize(
    "shapes",
    [((3, 1), (3,)), ((2, 3), (3,)), ((1,), ()), ((3, 1), (1, 3)), ((2, 3), (2, 1))],
    ids=["column", "row", "number", "crossed", "narrow"],
)
def test_shapes_that_differ(solution, shapes):
    """Shapes that would broadcast are refused with ValueError."""
    pred, target = (torch.zeros(shape) for shape in shapes)
    with pytest.raises(ValueError):
        solution.huber(pred, target)
    with pytest.raises(ValueError):
        solution.smooth_l1(pred, target, 0.0)


@points(1)
@pytest.mark.parametrize(
    "arguments", [(0.0,), (-1.0,), (1.0, "average"), (1.0, None)], ids=["zero", "minus", "name", "none"]
)
def test_refused_by_huber(solution, arguments):
    """A delta of 0 or less and an unknown reduction are a ValueError."""
    with pytest.raises(ValueError):
        solution.huber(torch.ones(3), torch.zeros(3), *arguments)


@points(1)
@pytest.mark.parametrize(
    "arguments", [(-0.5,), (1.0, "average"), (0.0, "average")], ids=["minus", "name", "name-at-zero"]
)
def test_refused_by_smooth_l1(solution, arguments):
    """A negative beta and an unknown reduction are a ValueError."""
    with pytest.raises(ValueError):
        solution.smooth_l1(torch.ones(3), torch.zeros(3), *arguments)


@points(1)
def test_layouts_and_arguments(solution, rng):
    """Strided inputs are inputs like any other, and none is written to."""
    pred, target = rng.randn(6, 8, dtype=F64)[::2, ::3], rng.randn(3, 3, dtype=F64).t()
    check_huber(solution, pred, target, 0.7, "none")
    found = assert_not_mutated(solution.huber, pred, target, 0.7)
    assert_close(found, F.huber_loss(pred, target, delta=0.7))
    assert_not_mutated(solution.smooth_l1, pred, target, 0.7)
    check(pred.shape == target.shape, "the shapes of the arguments have changed")
