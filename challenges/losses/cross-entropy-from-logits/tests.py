"""Hidden tests: cross entropy with weights, ignored labels, smoothing and soft targets."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

C = 5
SHAPES = {"one": (C,), "batch": (6, C), "sequence": (3, C, 4), "image": (2, C, 5, 3), "square": (C, C, C)}
EACH_SHAPE = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
EACH_REDUCTION = pytest.mark.parametrize("reduction", ["none", "sum", "mean"])


def indices(rng, shape, ignore_index=None):
    """Class indices for logits of this shape; about a third is ignored, and at least one position counts."""
    target = rng.randint(0, C, shape[:1] + shape[2:] if len(shape) > 1 else ())
    if ignore_index is not None:
        ignored = rng.mask(*target.shape, p=0.35)
        ignored.view(-1)[0], ignored.view(-1)[1] = False, True
        target = torch.where(ignored, ignore_index, target)
        target.view(-1)[0] = C - 1
    return target


def probabilities(rng, shape):
    return torch.softmax(rng.randn(*shape, dtype=torch.float64), min(1, len(shape) - 1))


def check_same(solution, logits, target, **options):
    """Values and gradients for the logits, against the library."""
    assert_same_gradients(
        lambda t: solution.cross_entropy(t, target, **options),
        lambda t: F.cross_entropy(t, target, **options),
        (logits,),
        names=("logits",),
    )


@sample
@points(1)
def test_equal_scores(solution):
    """Equal scores for C classes cost log C, whatever the target is."""
    loss = solution.cross_entropy(torch.full((4, 3), 7.0), torch.tensor([0, 1, 2, 2]))
    assert_close(loss, torch.tensor(math.log(3)))


@sample
@points(1)
def test_ignored_positions_do_not_dilute_the_mean(solution):
    """The mean is over the positions that count: ignored ones are not in its denominator."""
    logits = torch.tensor([[0.0, 0.0], [9.0, 1.0], [3.0, 4.0], [0.0, 0.0]])
    loss = solution.cross_entropy(logits, torch.tensor([0, -100, -100, 1]))
    assert_close(loss, torch.tensor(math.log(2)))


@sample
@points(1)
def test_weighted_mean(solution):
    """With weights the mean is a weighted mean: equal losses stay what they are."""
    weight = torch.tensor([1.0, 10.0])
    loss = solution.cross_entropy(torch.zeros(3, 2), torch.tensor([0, 0, 1]), weight=weight)
    assert_close(loss, torch.tensor(math.log(2)))


@sample
@points(1)
def test_smoothing_by_hand(solution):
    """Smoothing moves ε of the target to the uniform distribution over all classes, the right one included."""
    logits = torch.tensor([[1.0, 2.0, 5.0]]).log()  # probabilities 1/8, 2/8, 5/8
    loss = solution.cross_entropy(logits, torch.tensor([2]), label_smoothing=0.3)
    assert_close(loss, torch.tensor(-(0.8 * math.log(5 / 8) + 0.1 * math.log(2 / 8) + 0.1 * math.log(1 / 8))))


@points(2)
@EACH_SHAPE
def test_indices(solution, rng, shape):
    """A value or a gradient is wrong for some shape: the classes are in dimension 1, or 0 if there is no batch."""
    check_same(solution, 2 * rng.randn(*shape, dtype=torch.float64), indices(rng, shape))


@points(2)
@EACH_SHAPE
def test_probabilities(solution, rng, shape):
    """A target of probabilities gives another value or gradient (for the target as well): it has the shape of the logits."""
    assert_same_gradients(
        lambda x, q: solution.cross_entropy(x, q, label_smoothing=0.1),
        lambda x, q: F.cross_entropy(x, q, label_smoothing=0.1),
        (2 * rng.randn(*shape, dtype=torch.float64), probabilities(rng, shape)),
        names=("logits", "target"),
    )


@points(2)
@EACH_REDUCTION
def test_all_options_with_indices(solution, rng, reduction):
    """Weights, ignored labels and smoothing together: each class brings its own weight, also in the smoothed part."""
    shape = (4, C, 3)
    logits, target = rng.randn(*shape, dtype=torch.float64), indices(rng, shape, -100)
    weight = 0.2 + rng.rand(C, dtype=torch.float64)
    check_same(solution, logits, target, weight=weight, label_smoothing=rng.uniform(0.1, 0.5), reduction=reduction)


@points(2)
@EACH_REDUCTION
def test_all_options_with_probabilities(solution, rng, reduction):
    """Weights and smoothing with probabilities: here the mean is over positions, not over weights."""
    shape = (4, C, 3)
    logits, target = rng.randn(*shape, dtype=torch.float64), probabilities(rng, shape)
    weight = 0.2 + rng.rand(C, dtype=torch.float64)
    check_same(solution, logits, target, weight=weight, label_smoothing=rng.uniform(0.1, 0.5), reduction=reduction)


@points(2)
@pytest.mark.parametrize("smoothing", ["none", "some", "all"])
def test_smoothing(solution, rng, smoothing):
    """Smoothing alone changes the result in another way than stated: look at ε = 0 and at ε = 1 too."""
    eps = {"none": 0.0, "some": rng.uniform(0.05, 0.6), "all": 1.0}[smoothing]
    check_same(solution, rng.randn(6, C, dtype=torch.float64), indices(rng, (6, C)), label_smoothing=eps)


@points(1)
@pytest.mark.parametrize("ignore_index", [-100, -1, 0, 255])
def test_ignore_index(solution, rng, ignore_index):
    """Any number can be the ignored one, a class among them; only that number is ignored."""
    logits, target = rng.randn(9, C, dtype=torch.float64), indices(rng, (9, C), ignore_index)
    weight = 0.2 + rng.rand(C, dtype=torch.float64)
    check_same(solution, logits, target, weight=weight, ignore_index=ignore_index)


@points(1)
@pytest.mark.parametrize("ignore_index", [0, 1])
def test_probabilities_are_never_ignored(solution, rng, ignore_index):
    """A probability that happens to equal ignore_index is a probability: that option is for indices alone."""
    logits = rng.randn(6, C, dtype=torch.float64)
    target = F.one_hot(rng.randint(0, C, (6,)), C).to(torch.float64)
    for options in ({}, {"label_smoothing": 0.2, "reduction": "none"}):
        actual = solution.cross_entropy(logits, target, ignore_index=ignore_index, **options)
        assert_close(actual, F.cross_entropy(logits, target, **options))


@points(1)
@pytest.mark.parametrize("shape", [(1, C), (1, C, 1), (3, C, 1), (4, 1), (1,)], ids=str)
def test_sizes_of_one(solution, rng, shape):
    """One sample, one position or one class: each of them keeps its dimension in the result of "none"."""
    classes = shape[1] if len(shape) > 1 else shape[0]
    logits, weight = rng.randn(*shape, dtype=torch.float64), 0.2 + rng.rand(classes, dtype=torch.float64)
    target = rng.randint(0, classes, shape[:1] + shape[2:] if len(shape) > 1 else ())
    check_same(solution, logits, target, weight=weight, label_smoothing=0.1, reduction="none")
    check_same(solution, logits, probabilities(rng, shape), weight=weight, reduction="none")


@points(1)
@pytest.mark.parametrize("how", ["ignored", "empty-batch", "zero-weight"])
def test_nothing_counts(solution, rng, how):
    """When no position counts, the sum is 0 and the mean is 0 / 0."""
    n = 0 if how == "empty-batch" else 3
    logits = rng.randn(n, C)
    target = torch.full((n,), 2 if how == "zero-weight" else -100)
    options = {"weight": torch.tensor([1.0, 1.0, 0.0, 1.0, 1.0])} if how == "zero-weight" else {}
    check(bool(solution.cross_entropy(logits, target, **options).isnan()), "the mean of nothing is NaN")
    assert_close(solution.cross_entropy(logits, target, reduction="sum", **options), torch.zeros(()))
    assert_close(solution.cross_entropy(logits, target, reduction="none", **options), torch.zeros(n))


@points(1)
def test_no_positions_with_probabilities(solution):
    """Without positions the mean is NaN for probabilities too, and the sum is 0."""
    nothing = torch.zeros(0, C)
    check(bool(solution.cross_entropy(nothing, nothing).isnan()), "the mean of nothing is NaN")
    assert_close(solution.cross_entropy(nothing, nothing, reduction="sum"), torch.zeros(()))


@points(1)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_dtypes(solution, rng, dtype):
    """The result has the dtype of the logits, and is computed in it, with a weight and without."""
    logits, target = (3 * rng.randn(8, C)).to(dtype), indices(rng, (8, C), -100)
    check_same(solution, logits, target, label_smoothing=0.1)
    check_same(solution, logits, target, weight=rng.rand(C).to(dtype) + 0.1)


@points(2)
@pytest.mark.parametrize("smoothing", [0.0, 0.1], ids=["hard", "smoothed"])
def test_scores_of_ten_thousand(solution, rng, smoothing):
    """A hopeless position costs 10000 and more, and keeps its gradient: never form a probability before its logarithm."""
    # Two probabilities of float32 differ by a thousandth there, depending on how they are computed.
    logits = 1e4 * (2 * rng.rand(6, C, dtype=torch.float64) - 1)
    check_same(solution, logits, indices(rng, (6, C)), label_smoothing=smoothing)


@points(2)
def test_impossible_classes(solution, rng):
    """A class of score minus infinity beside the target turns the loss into NaN: pick, do not multiply by zeros."""
    logits = rng.randn(5, C, dtype=torch.float64)
    target = rng.randint(0, C - 1, (5,))
    logits[1:, C - 1] = -math.inf
    check_same(solution, logits, target)
    logits[2, 0], target[2] = -math.inf, 1
    check_same(solution, logits, target, reduction="none")


@points(2)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=["nan", "inf", "minus-inf"])
def test_ignored_logits_do_not_matter(solution, rng, value):
    """What stands in the logits of an ignored position is seen in the result: select, do not multiply with a mask."""
    logits, target = rng.randn(6, C, dtype=torch.float64), indices(rng, (6, C), -100)
    logits[target == -100] = value
    weight = 0.2 + rng.rand(C, dtype=torch.float64)
    for reduction, smoothing in (("mean", 0.0), ("none", 0.0), ("sum", 0.2), ("none", 0.2)):
        options = {"weight": weight, "reduction": reduction, "label_smoothing": smoothing}
        actual = solution.cross_entropy(logits, target, **options)
        assert_close(actual, F.cross_entropy(logits, target, **options))


@points(1)
@pytest.mark.parametrize("index", ["too-large", "negative", "the-usual-one"])
def test_no_such_class(solution, rng, index):
    """An index that is no class and not the ignored one is an IndexError, and not another class."""
    logits, target = rng.randn(4, C), rng.randint(0, C, (4,))
    place = rng.integer(0, 4)
    target[place] = {"too-large": C, "negative": -1, "the-usual-one": -100}[index]
    with pytest.raises(IndexError):
        solution.cross_entropy(logits, target, ignore_index=1)
    with pytest.raises(IndexError):
        solution.cross_entropy(logits[0], target[place], ignore_index=1)


@points(1)
def test_unknown_reduction(solution, rng):
    """There are three reductions; everything else is a ValueError."""
    for target in (rng.randint(0, C, (4,)), probabilities(rng, (4, C)).float()):
        with pytest.raises(ValueError):
            solution.cross_entropy(rng.randn(4, C), target, reduction="average")


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "channels-last"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    if layout == "transposed":
        logits, target = rng.randn(C, 6, dtype=torch.float64).t(), indices(rng, (6, C))
    elif layout == "strided":
        logits, target = rng.randn(6, 2 * C, dtype=torch.float64)[:, ::2], indices(rng, (12, C))[::2]
    else:
        logits = rng.randn(2, 3, 4, C, dtype=torch.float64).permute(0, 3, 1, 2)
        target = indices(rng, (2, C, 4, 3)).transpose(1, 2)
    check_same(solution, logits, target)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither logits nor targets nor weights may be written to."""
    logits, target, weight = rng.randn(6, C), indices(rng, (6, C), -100), rng.rand(C)
    assert_not_mutated(solution.cross_entropy, logits, target, weight=weight, label_smoothing=0.1)
    assert_not_mutated(solution.cross_entropy, logits, probabilities(rng, (6, C)).float(), weight=weight)


@attested
@points(2)
def test_no_built_in_loss(solution, attest, rng):
    """A cross entropy or negative log-likelihood of the library ran: pick the log-probabilities yourself."""
    seen = attest(solution.cross_entropy, rng.randn(4, C), rng.randint(0, C, (4,)))
    names = [name.rpartition("::")[2].lower() for name in seen.operators]
    check(not any("nll" in name or "cross_entropy" in name for name in names), "a loss of the library ran")
