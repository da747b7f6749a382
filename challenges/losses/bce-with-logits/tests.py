"""Hidden tests: binary cross entropy of raw scores."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

SHAPES = {"no-dimension": (), "vector": (9,), "multi-label": (5, 4), "image": (2, 3, 4, 5)}
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def true_bce(x, y, pos_weight=None, reduction="mean"):
    """In float64, rounded once."""
    wide, zero = x.double(), torch.zeros((), dtype=torch.float64)
    positive = torch.logaddexp(zero, -wide) * (1.0 if pos_weight is None else pos_weight.double())
    losses = y.double() * positive + (1 - y.double()) * torch.logaddexp(zero, wide)
    return {"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction].to(x.dtype)


def data(rng, *shape, dtype=torch.float64):
    """Scores, and targets of which about a third is soft."""
    soft, hard = rng.rand(*shape, dtype=dtype), rng.mask(*shape).to(dtype)
    return 3 * rng.randn(*shape, dtype=dtype), torch.where(rng.mask(*shape, p=0.35), soft, hard)


@sample
@points(1)
def test_scores_of_zero(solution):
    """A score of 0 says one half, and one half costs log 2 whatever the target is."""
    loss = solution.bce_with_logits(torch.zeros(3), torch.tensor([0.0, 1.0, 0.4]))
    assert_close(loss, torch.tensor(math.log(2)))


@sample
@points(1)
def test_hopelessly_wrong(solution):
    """At a score of 10000 for a target of 0 the loss is 10000, and its gradient 1."""
    x = torch.tensor([10000.0], requires_grad=True)
    loss = solution.bce_with_logits(x, torch.tensor([0.0]))
    assert_close(loss.detach(), torch.tensor(10000.0))
    (gradient,) = torch.autograd.grad(loss, x)
    assert_close(gradient, torch.tensor([1.0]), name="gradient")


@sample
@points(1)
def test_weight_of_the_positives(solution):
    """pos_weight multiplies what a target of 1 costs, and is not in the denominator of the mean."""
    x, y = torch.zeros(2, 2), torch.tensor([[1.0, 1.0], [0.0, 0.0]])
    loss = solution.bce_with_logits(x, y, pos_weight=torch.tensor([1.0, 5.0]))
    assert_close(loss, torch.tensor(math.log(2) * 8 / 4))


@points(2)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_values_and_gradients(solution, rng, shape):
    """A value or a gradient is wrong for some shape: the targets may lie between 0 and 1."""
    assert_same_gradients(solution.bce_with_logits, true_bce, data(rng, *shape), names=("x", "y"))


@points(2)
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_reductions(solution, rng, reduction):
    """A reduction gives another value, with pos_weight: the mean divides by the number of elements."""
    x, y = data(rng, 5, 4)
    weight = 0.2 + 3 * rng.rand(4, dtype=torch.float64)
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y, weight), reduction=reduction)


@points(2)
@pytest.mark.parametrize("shape", [(), (1,), (3, 1, 1), (2, 3, 4, 5)], ids=["single", "one", "channels", "full"])
def test_weights_that_broadcast(solution, rng, shape):
    """pos_weight is broadcast to the shape of x, and it weighs the positive part alone."""
    x, y = data(rng, 2, 3, 4, 5)
    weight = 0.2 + 3 * rng.rand(*shape, dtype=torch.float64)
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y, weight), names=("x", "y", "pos_weight"))


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """The result has the dtype of x, and is computed in it."""
    x, y = data(rng, 6, 5, dtype=dtype)
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y))
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y, rng.rand(5).to(dtype) + 0.5))


@points(3)
@EACH_DTYPE
def test_scores_of_ten_thousand(solution, rng, dtype):
    """Large scores of either sign: the loss grows with them and the gradient stays, nothing is cut off or NaN."""
    x = (2e4 * rng.rand(8, 3, dtype=torch.float64) - 1e4).to(dtype)
    y = rng.mask(8, 3).to(dtype)
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y), names=("x", "y"), reduction="none")
    weight = rng.rand(3).to(dtype) + 0.5
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y, weight), names=("x", "y", "pos_weight"))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_right_and_sure(solution, rng, dtype, weighted):
    """A tiny loss lost its digits: it must not be added to 1 before a logarithm, nor to a number of the size of the score."""
    y = rng.mask(10).to(dtype)
    y[0], y[1] = 0.0, 1.0
    x = (torch.where(y > 0, 1.0, -1.0) * (18 + 22 * rng.rand(10))).to(dtype)
    weight = rng.rand(10).to(dtype) + 0.5 if weighted else None
    actual = solution.bce_with_logits(x, y, pos_weight=weight, reduction="none")
    assert_close(actual, true_bce(x, y, weight, "none"), rtol=1e-4, atol=0.0)


@points(2)
@EACH_DTYPE
def test_gradient_at_zero(solution, rng, dtype):
    """The gradient at a score of exactly 0 is one half minus the target: mind the kink of the maximum."""
    x, y = torch.zeros(6, dtype=dtype), rng.rand(6).to(dtype)
    y[0], y[1] = 0.0, 1.0
    weight = rng.rand(6).to(dtype) + 0.5
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y, weight), wrt=[0], names=("x", "y", "pos_weight"))
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y), wrt=[0], names=("x", "y"), reduction="sum")


@points(2)
@pytest.mark.parametrize(
    "shapes",
    [((6, 1), (6,)), ((6,), (6, 1)), ((4, 3), (3,)), ((1,), ()), ((4, 1), (4, 3)), ((4, 3), (1, 3)), ((6,), (5,))],
)
def test_shapes_must_agree(solution, rng, shapes):
    """Scores and targets of different shapes are a ValueError: broadcasting would compare everything with everything."""
    x, y = (rng.rand(*shape) for shape in shapes)
    for options in ({}, {"reduction": "none"}, {"reduction": "sum", "pos_weight": torch.tensor([2.0])}):
        with pytest.raises(ValueError):
            solution.bce_with_logits(x, y, **options)


@points(1)
def test_unknown_reduction(solution, rng):
    """There are three reductions; everything else is a ValueError."""
    with pytest.raises(ValueError):
        solution.bce_with_logits(*data(rng, 4), reduction="average")


@points(1)
def test_no_elements(solution):
    """Without elements the sum is 0 and the mean is NaN, and 'none' gives as many losses as there are scores."""
    x, y = torch.zeros(0, 3), torch.zeros(0, 3)
    assert_close(solution.bce_with_logits(x, y, reduction="none"), x)
    assert_close(solution.bce_with_logits(x, y, reduction="sum"), torch.zeros(()))
    check(bool(solution.bce_with_logits(x, y).isnan()), "the mean of nothing is NaN")


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    x, y = data(rng, 6, 8)
    x, y = (x.t(), y.t()) if layout == "transposed" else (x[::2, 1::2], y[::2, ::2])
    assert_same_gradients(solution.bce_with_logits, true_bce, (x, y), names=("x", "y"), reduction="none")


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither scores nor targets nor weights may be written to."""
    x, y = data(rng, 5, 4)
    assert_not_mutated(solution.bce_with_logits, x, y, pos_weight=rng.rand(4, dtype=torch.float64))


@attested
@points(2)
def test_no_built_in_loss(solution, attest, rng):
    """A ready-made piece of the library ran (a binary cross entropy, softplus or logsigmoid): write it yourself."""
    seen = attest(solution.bce_with_logits, *data(rng, 4))
    names = [name.rpartition("::")[2].lower() for name in seen.operators]
    ready_made = ("binary_cross_entropy", "softplus", "log_sigmoid", "soft_margin")
    check(not any(part in name for name in names for part in ready_made), "a ready-made piece of the library ran")
