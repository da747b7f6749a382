"""Hidden tests: shapes that must not be stretched."""

import warnings

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_FORM = pytest.mark.parametrize("column", [True, False], ids=["column", "row"])


def shaped(prediction, column):
    return prediction[:, None] if column else prediction


def true_loss(prediction, target):
    flat = prediction.flatten()
    return sum((flat[i] - target[i]) ** 2 for i in range(len(target))) / len(target)


def true_weighted(prediction, target, weight):
    n, d = prediction.shape
    total = sum(weight[i] * (prediction[i, j] - target[i, j]) ** 2 for i in range(n) for j in range(d))
    return total / (d * weight.sum())


@sample
@points(1)
def test_column_of_predictions(solution):
    """Two exact predictions, and one that is off by 3: the loss is 3, and two thirds are within 0.5."""
    prediction, target = torch.tensor([[1.0], [2.0], [6.0]]), torch.tensor([1.0, 2.0, 3.0])
    assert_close(solution.regression_loss(prediction, target), torch.tensor(3.0))
    assert_close(solution.within(prediction, target, 0.5), 2 / 3, rtol=1e-6)


@sample
@points(1)
def test_weights_of_samples(solution):
    """Weights 1 and 3 belong to the rows: (1 * 2 + 3 * 4) / (2 * 4)."""
    prediction, weight = torch.tensor([[1.0, 1.0], [2.0, 0.0]]), torch.tensor([1.0, 3.0])
    assert_close(solution.weighted_loss(prediction, torch.zeros(2, 2), weight), torch.tensor(1.75))


@sample
@points(1)
def test_rows_of_a_square(solution):
    """The means of the rows are 2 and 7."""
    found = solution.centred_rows(torch.tensor([[1.0, 3.0], [5.0, 9.0]]))
    assert_close(found, torch.tensor([[-1.0, 1.0], [-2.0, 2.0]]))


@points(2)
@EACH_DTYPE
@EACH_FORM
@pytest.mark.parametrize("n", [1, 2, 7])
def test_loss_and_gradient(solution, rng, n, column, dtype):
    """regression_loss, or its gradient, is not that of the mean over the samples."""
    prediction, target = shaped(rng.randn(n, dtype=dtype), column), rng.randn(n, dtype=dtype)
    inputs, names = (prediction, target), ("prediction", "target")
    assert_same_gradients(solution.regression_loss, true_loss, inputs, wrt=[0], names=names)


@points(2)
@EACH_FORM
def test_share(solution, rng, column):
    """within counts samples, each against its own target; errors have both signs."""
    for n in (1, 5, 8):
        target = rng.randn(n, dtype=F64)
        offsets = rng.uniform(0.2, 0.9) * torch.arange(n, dtype=F64) * (-1) ** torch.arange(n)
        found = solution.within(shaped(target + offsets, column), target, 1.05)
        check(type(found) is float, "within should return a Python float")
        assert_close(found, (offsets.abs() <= 1.05).double().mean().item(), rtol=1e-6, name="within")


@points(1)
def test_distance_included(solution):
    """An error of exactly the distance is within it."""
    assert_close(solution.within(torch.tensor([[1.0], [3.0]]), torch.tensor([0.5, 1.0]), 0.5), 0.5)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (1, 3), (3, 1), (1, 1)], ids=str)
def test_weighted_loss_and_gradient(solution, rng, shape, dtype):
    """weighted_loss, or its gradient, is not that of one weight per sample."""
    prediction, target = rng.randn(*shape, dtype=dtype), rng.randn(*shape, dtype=dtype)
    weight = 0.5 + rng.rand(shape[0], dtype=dtype)
    assert_same_gradients(
        lambda p: solution.weighted_loss(p, target, weight),
        lambda p: true_weighted(p, target, weight),
        (prediction,),
        names=("prediction",),
    )


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(5,), (4, 4), (3, 5), (2, 3, 3), (2, 1, 4)], ids=str)
def test_centred(solution, rng, shape, dtype):
    """The mean of each row must be that of the row itself, and become 0."""
    x = 3 + rng.randn(*shape, dtype=dtype)
    expected = torch.stack([row - row.sum() / shape[-1] for row in x.reshape(-1, shape[-1])]).reshape(shape)
    assert_close(solution.centred_rows(x), expected, scale=16.0)


@points(2)
def test_steps_towards_the_targets(solution, rng):
    """After many steps each prediction should be its own target, not the mean of all."""
    target = rng.randn(6, dtype=F64)
    prediction = torch.zeros(6, 1, dtype=F64, requires_grad=True)
    for _ in range(30):
        solution.regression_loss(prediction, target).backward()
        with torch.no_grad():
            prediction -= 2.0 * prediction.grad
        prediction.grad = None
    assert_close(prediction.detach()[:, 0], target, rtol=1e-3, atol=1e-3)


WRONG = {
    "target-column": ((4, 1), (4, 1)),
    "target-scalar": ((4,), ()),
    "prediction-row": ((1, 4), (4,)),
    "fewer": ((3,), (4,)),
    "one": ((1,), (4,)),
    "one-column": ((1, 1), (4,)),
    "square": ((4, 4), (4,)),
    "one-target": ((4, 1), (1,)),
    "three-dimensions": ((4, 1, 1), (4,)),
}


@points(2)
@pytest.mark.parametrize("name", list(WRONG))
@pytest.mark.parametrize("which", ["regression_loss", "within"])
def test_other_shapes(solution, rng, which, name):
    """Shapes that do not belong together raise ValueError, also if they could be broadcast or reshaped."""
    prediction, target = (rng.randn(*shape) for shape in WRONG[name])
    with pytest.raises(ValueError):
        getattr(solution, which)(prediction, target, *([0.5] if which == "within" else []))


WRONG_WEIGHTED = {
    "weight-per-output": ((4, 3), (4, 3), (3,)),
    "weight-column": ((4, 3), (4, 3), (4, 1)),
    "weight-scalar": ((4, 3), (4, 3), ()),
    "one-weight": ((4, 3), (4, 3), (1,)),
    "target-row": ((4, 3), (3,), (4,)),
    "target-column": ((4, 3), (4, 1), (4,)),
    "prediction-row": ((1, 3), (4, 3), (4,)),
    "no-outputs": ((4,), (4,), (4,)),
    "three-dimensions": ((4, 3, 2), (4, 3, 2), (4,)),
}


@points(2)
@pytest.mark.parametrize("name", list(WRONG_WEIGHTED))
def test_other_shapes_with_weights(solution, rng, name):
    """Shapes that do not belong together raise ValueError, also if they could be broadcast."""
    prediction, target, weight = (rng.rand(*shape) for shape in WRONG_WEIGHTED[name])
    with pytest.raises(ValueError):
        solution.weighted_loss(prediction, target, weight)


@points(1)
def test_quiet_and_unchanged(solution, rng):
    """No warnings, and no argument is written to; predictions may be a view of a larger tensor."""
    wide, target = rng.randn(5, 3, dtype=F64), rng.randn(5, dtype=F64)
    prediction = wide[:, 1:2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = assert_not_mutated(solution.regression_loss, prediction, target)
        assert_close(found, true_loss(prediction, target), name="regression_loss")
        assert_not_mutated(solution.within, prediction, target, 0.5)
        assert_not_mutated(solution.weighted_loss, wide, wide.flip(1), target.abs())
        assert_not_mutated(solution.centred_rows, wide.t())
