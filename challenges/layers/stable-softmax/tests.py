"""Hidden tests: log_softmax and masked_softmax from elementary operations."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

INF = float("inf")
EACH_DTYPE = pytest.mark.parametrize(
    "dtype",
    [torch.float32, torch.float64, torch.float16, torch.bfloat16],
    ids=["float32", "float64", "float16", "bfloat16"],
)
EACH_DIM = pytest.mark.parametrize("dim", [0, 1, -1, -3])


def true_log_softmax(x, dim):
    """In float64, rounded once."""
    return torch.log_softmax(x.double(), dim).to(x.dtype)


def true_masked_softmax(x, mask, dim):
    keep = mask.broadcast_to(x.shape)
    alive = keep.any(dim, keepdim=True)
    scores = x.double().masked_fill(~keep, -INF).masked_fill(~alive, 0.0)
    return torch.softmax(scores, dim).masked_fill(~keep, 0.0).to(x.dtype)


def mask_for(rng, shape, dim):
    """A random mask in which the first line along dim is empty and all others have an entry."""
    mask = rng.mask(*shape, p=0.6)
    mask.select(dim, 0).fill_(True)
    lines = mask.movedim(dim, -1)
    lines[(0,) * (lines.dim() - 1)] = False
    return mask


@sample
@points(1)
def test_three_scores(solution, attest, exhibit):
    """The log-probabilities of three small scores are wrong: start from the formula."""
    x = torch.tensor([0.0, 1.0, 2.0]).log1p()  # log 1, log 2, log 3
    seen = attest(solution.log_softmax, x, 0)
    actual, expected = seen.result, torch.tensor([1 / 6, 2 / 6, 3 / 6]).log()
    exhibit.difference("log_softmax([log 1, log 2, log 3])", actual, expected)
    exhibit.operators("operators of your log_softmax", seen.operators)
    assert_close(actual, expected)


@sample
@points(1)
def test_large_scores(solution):
    """exp(1000) is infinite: subtract the largest score of the line first."""
    actual = solution.log_softmax(torch.tensor([[1000.0, 0.0], [-1000.0, -1000.0]]), -1)
    assert_close(actual, torch.tensor([[0.0, -1000.0], [-0.6931472, -0.6931472]]))


@sample
@points(1)
def test_one_entry_is_masked(solution):
    """The entries that remain share the whole probability: mask before you normalise."""
    x = torch.tensor([[0.0, 5.0, 0.0, 0.0]])
    actual = solution.masked_softmax(x, torch.tensor([True, False, True, True]), 1)
    assert_close(actual, torch.tensor([[1 / 3, 0.0, 1 / 3, 1 / 3]]))


@sample
@points(1)
def test_everything_is_masked(solution):
    """A line without any entry gives zeros, not NaN."""
    x = torch.tensor([[1.0, 2.0], [3.0, 3.0]])
    mask = torch.tensor([[False, False], [True, True]])
    assert_close(solution.masked_softmax(x, mask, 1), torch.tensor([[0.0, 0.0], [0.5, 0.5]]))


@points(2)
@EACH_DIM
def test_log_softmax_along_any_dimension(solution, rng, dim):
    """log_softmax or its gradient is wrong for some dim: the maximum and the sum both run along it, with keepdim."""
    x = 3 * rng.randn(4, 5, 3, dtype=torch.float64)
    assert_same_gradients(lambda t: solution.log_softmax(t, dim), lambda t: true_log_softmax(t, dim), (x,))


@points(2)
@EACH_DIM
def test_masked_softmax_along_any_dimension(solution, rng, dim):
    """masked_softmax or its gradient is wrong for some dim, with one line masked entirely."""
    x = 3 * rng.randn(4, 5, 3, dtype=torch.float64)
    mask = mask_for(rng, (4, 5, 3), dim)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, dim), lambda t: theirs(t, mask, dim), (x,))


@points(2)
@EACH_DTYPE
def test_log_softmax_dtypes(solution, rng, dtype):
    """log_softmax of some dtype: the result has the dtype of x, and its precision."""
    x = (4 * rng.randn(5, 7)).to(dtype)
    assert_same_gradients(lambda t: solution.log_softmax(t, 1), lambda t: true_log_softmax(t, 1), (x,))


@points(2)
@EACH_DTYPE
def test_masked_softmax_dtypes(solution, rng, dtype):
    """masked_softmax of some dtype: beware of constants that half precision cannot hold."""
    wide = dtype in (torch.float32, torch.float64)
    x = ((4 if wide else 1) * rng.randn(5, 7)).to(
        dtype
    )  # where one probability is nearly 1, half precision leaves only rounding
    mask = mask_for(rng, (5, 7), 1)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, 1), lambda t: theirs(t, mask, 1), (x,), scale=2 if wide else 4)


@points(2)
@EACH_DTYPE
def test_scores_of_ten_thousand(solution, rng, dtype):
    """At scores of 10000 everything stays finite, and a log-probability of -10000 is not cut off."""
    x = torch.where(rng.mask(6, 8), 1e4, -1e4) * rng.rand(6, 8, dtype=torch.float64)
    x = x.to(dtype)
    assert_same_gradients(lambda t: solution.log_softmax(t, 1), lambda t: true_log_softmax(t, 1), (x,))
    mask = mask_for(rng, (6, 8), 1)
    leaf = x.clone().requires_grad_()
    actual = solution.masked_softmax(leaf, mask, 1)
    assert_close(actual.detach(), true_masked_softmax(x, mask, 1))
    # one probability is nearly 1: what is left of its gradient is rounding, so only NaN and infinity are looked for
    (gradient,) = torch.autograd.grad(actual, leaf, rng.randn(6, 8).to(dtype))
    check(bool(gradient.isfinite().all()), "a gradient of masked_softmax is not finite")


@points(1)
def test_enormous_scores(solution, rng):
    """Scores of 1e30 are scores too, and a masked place must not be guarded by a number they can exceed."""
    x = torch.tensor([[-1e30, -1e30, 1e30], [-1e30, -1e30, -1e30]]) + rng.randn(2, 3)
    mask = torch.tensor([[True, True, False], [False, True, True]])
    assert_close(solution.log_softmax(x, 1), true_log_softmax(x, 1))
    assert_close(solution.masked_softmax(x, mask, 1), true_masked_softmax(x, mask, 1))


@points(2)
def test_precision_far_from_zero(solution, rng):
    """Near 10000 digits are lost: subtract large numbers from each other first, add the logarithm last."""
    x = (1e4 + 0.5 * rng.randn(20, 6, dtype=torch.float64)).float()
    assert_close(solution.log_softmax(x, 1), true_log_softmax(x, 1))


@points(1)
def test_confident_line(solution, rng):
    """A small log-probability is exact to float64's last digits, also when the probability itself rounds to 0."""
    x = torch.tensor([[0.0, -800.0, -900.0]], dtype=torch.float64) + rng.uniform(-1, 1)
    assert_close(solution.log_softmax(x, 1), true_log_softmax(x, 1))


@points(1)
def test_minus_infinity_among_the_scores(solution, rng):
    """A score of minus infinity has probability 0; the gradients of its neighbours are finite."""
    x = rng.randn(4, 5, dtype=torch.float64)
    x[0, 1] = x[2, 0] = x[2, 3] = -INF
    cotangent, gradients = rng.randn(4, 5, dtype=torch.float64).masked_fill(x == -INF, 0.0), []
    for f in (solution.log_softmax, true_log_softmax):
        leaf = x.clone().requires_grad_()
        actual = f(leaf, 1)
        assert_close(actual.detach(), true_log_softmax(x, 1))
        gradients.append(torch.autograd.grad(actual, leaf, cotangent)[0])
    assert_close(*gradients, name="gradient of log_softmax")
    mask = rng.mask(4, 5) | (x > -INF)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, 1), lambda t: theirs(t, mask, 1), (x,))


@points(2)
@pytest.mark.parametrize("shape", ["fewer-dimensions", "one-along-dim", "one-column", "single"])
def test_masks_that_broadcast(solution, rng, shape):
    """A mask with fewer dimensions or of size 1 is stretched to the shape of x; dim counts the dimensions of x."""
    x = rng.randn(3, 4, 5, dtype=torch.float64)
    mask, dim = {
        "fewer-dimensions": (lambda: rng.mask(5), 2),
        "one-along-dim": (lambda: rng.mask(3, 1, 5), 1),
        "one-column": (lambda: torch.tensor([[True], [False], [True], [True]]), 0),
        "single": (lambda: torch.tensor(rng.choice([True, False])), -1),
    }[shape]
    mask = mask()
    actual = solution.masked_softmax(x, mask, dim)
    assert_close(actual, true_masked_softmax(x, mask, dim))


@points(2)
@pytest.mark.parametrize("value", [INF, -INF, float("nan"), 1e4], ids=["inf", "minus-inf", "nan", "large"])
def test_what_is_masked_does_not_matter(solution, rng, value):
    """A masked place holds something odd, and it is seen in the result or in a gradient."""
    x = rng.randn(4, 6, dtype=torch.float64)
    mask = mask_for(rng, (4, 6), 1)
    x = x.masked_fill(~mask, value)
    leaf = x.clone().requires_grad_()
    actual = solution.masked_softmax(leaf, mask, 1)
    assert_close(actual.detach(), true_masked_softmax(x, mask, 1))
    (gradient,) = torch.autograd.grad(actual, leaf, rng.randn(4, 6, dtype=torch.float64))
    check(bool(gradient.isfinite().all()), "a gradient is not finite")
    check(bool((gradient[~mask] == 0).all()), "a masked place received a gradient")


@points(1)
def test_masked_places_are_exactly_zero(solution, rng):
    """A masked entry is 0, not merely small."""
    x = rng.randn(4, 6) - 50
    mask = mask_for(rng, (4, 6), 1)
    actual = solution.masked_softmax(x, mask, 1)
    assert_close(actual, true_masked_softmax(x, mask, 1))
    check(bool((actual[~mask] == 0).all()), "a masked entry has a probability")


@points(2)
def test_gradient_behind_an_empty_line(solution, rng):
    """A line that is masked entirely sends NaN into weights that it shares with others: repair inputs, not outputs."""
    weight = rng.randn(3, 5, dtype=torch.float64).requires_grad_()
    x, target = rng.randn(4, 3, dtype=torch.float64), rng.randn(4, 5, dtype=torch.float64)
    mask = mask_for(rng, (4, 5), 1)
    gradients = [
        torch.autograd.grad((f(x @ weight, mask, 1) * target).sum(), weight)[0]
        for f in (solution.masked_softmax, true_masked_softmax)
    ]
    assert_close(*gradients, name="gradient of the shared weight")


@points(1)
@pytest.mark.parametrize(
    "shape", [(0, 5), (3, 0), (1, 1), (1,)], ids=["no-lines", "empty-lines", "one-entry", "vector"]
)
def test_small_shapes(solution, rng, shape):
    """No lines, empty lines, and lines of one entry."""
    mask = torch.ones(shape, dtype=torch.bool)
    for dim, dtype in ((-1, torch.float32), (0, torch.float64)):
        x = rng.randn(*shape, dtype=dtype)
        assert_close(solution.log_softmax(x, dim), true_log_softmax(x, dim))
        assert_close(solution.masked_softmax(x, mask, dim), true_masked_softmax(x, mask, dim))


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    x = {
        "transposed": lambda: rng.randn(5, 3, dtype=torch.float64).t(),
        "strided": lambda: rng.randn(6, 10, dtype=torch.float64)[::2, ::2],
        "expanded": lambda: rng.randn(3, 1, dtype=torch.float64).expand(3, 5),
    }[layout]()
    mask = rng.mask(5, 3).t()
    assert_same_gradients(lambda t: solution.log_softmax(t, 0), lambda t: true_log_softmax(t, 0), (x,))
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, 0), lambda t: theirs(t, mask, 0), (x,))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither the scores nor the mask may be written to."""
    x, mask = rng.randn(3, 4), rng.mask(3, 4)
    assert_not_mutated(solution.log_softmax, x, 1)
    assert_not_mutated(solution.masked_softmax, x, mask, 1)


@attested
@points(2)
@pytest.mark.parametrize("which", ["log_softmax", "masked_softmax"])
def test_no_built_in_softmax(solution, attest, rng, which):
    """A softmax or logsumexp of the library ran: write it from exp, log, sum and maximum."""
    x, mask = rng.randn(3, 4), rng.mask(3, 4)
    arguments = (x, 1) if which == "log_softmax" else (x, mask, 1)
    seen = attest(getattr(solution, which), *arguments)
    ready_made = ("softmax", "logsumexp", "cross_entropy", "attention")
    names = [name.rpartition("::")[2].lower() for name in seen.operators]
    check(not any(part in name for name in names for part in ready_made), "a softmax of the library ran")
