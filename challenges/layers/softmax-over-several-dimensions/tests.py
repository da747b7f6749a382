"""Hidden tests: log_softmax and masked_softmax over several dimensions at once."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

INF = float("inf")
F32, F64 = torch.float32, torch.float64
AXES = {
    "last": -1,
    "one-in-a-tuple": (1,),
    "neighbours": (1, 2),
    "first-and-last": (0, -1),
    "out-of-order": (2, -4),
    "three": (0, 1, 3),
    "all": (3, 2, 1, 0),
}
EACH_AXES = pytest.mark.parametrize("name", AXES)
SHAPE = (2, 3, 4, 5)


def joined(x, dims):
    """x with the dimensions of a group moved to the end and made one, and the function that undoes it."""
    named = (dims,) if isinstance(dims, int) else dims
    axes = sorted(dim % x.dim() for dim in named)
    order = [dim for dim in range(x.dim()) if dim not in axes] + axes
    moved = x.permute(order)
    back = [order.index(dim) for dim in range(x.dim())]
    flat = moved.reshape(*moved.shape[: x.dim() - len(axes)], moved[(0,) * (x.dim() - len(axes))].numel())
    return flat, lambda result: result.reshape(moved.shape).permute(back)


def true_log_softmax(x, dims):
    """In float64, rounded once."""
    flat, undo = joined(x.double(), dims)
    return undo(torch.log_softmax(flat, -1)).to(x.dtype)


def true_masked_softmax(x, mask, dims):
    flat, undo = joined(x.double(), dims)
    keep = joined(mask.broadcast_to(x.shape), dims)[0]
    alive = keep.any(-1, keepdim=True)
    scores = flat.masked_fill(~keep, -INF).masked_fill(~alive, 0.0)
    return undo(torch.softmax(scores, -1).masked_fill(~keep, 0.0)).to(x.dtype)


def mask_for(rng, shape, dims):
    """A random mask in which one group is empty, unless there is just one group."""
    mask = rng.mask(*shape, p=0.6)
    mask[(-1,) * len(shape)] = True
    axes = [dim % len(shape) for dim in ((dims,) if isinstance(dims, int) else dims)]
    if len(axes) < len(shape):
        mask[tuple(slice(None) if dim in axes else 0 for dim in range(len(shape)))] = False
    return mask


@sample
@points(1)
def test_two_dimensions_share_one_sum(solution):
    """Over both dimensions there is one sum: log 1, log 2, log 3 and log 4 have 1 to 4 tenths of it."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).log()
    expected = torch.tensor([[0.1, 0.2], [0.3, 0.4]]).log()
    assert_close(solution.log_softmax(x, (0, 1)), expected)


@sample
@points(1)
def test_one_dimension_as_before(solution):
    """One dimension, as an int, is still possible."""
    x = torch.tensor([[1.0, 3.0], [1.0, 1.0]]).log()
    assert_close(solution.log_softmax(x, 1), torch.tensor([[0.25, 0.75], [0.5, 0.5]]).log())


@sample
@points(1)
def test_everything_is_masked(solution):
    """A group without any entry gives zeros, not NaN; the other groups are normalised over what remains."""
    x = torch.zeros(2, 2, 2)
    mask = torch.tensor([[[False, False], [False, False]], [[True, False], [True, True]]])
    third = 1 / 3
    expected = torch.tensor([[[0.0, 0.0], [0.0, 0.0]], [[third, 0.0], [third, third]]])
    assert_close(solution.masked_softmax(x, mask, (1, 2)), expected)


@points(3)
@EACH_AXES
def test_log_softmax_over_any_dimensions(solution, rng, name):
    """log_softmax or its gradient is wrong for some dims: one largest score and one sum for each group."""
    dims = AXES[name]
    x = 3 * rng.randn(*SHAPE, dtype=F64)
    assert_same_gradients(lambda t: solution.log_softmax(t, dims), lambda t: true_log_softmax(t, dims), (x,))


@points(3)
@EACH_AXES
def test_masked_softmax_over_any_dimensions(solution, rng, name):
    """masked_softmax or its gradient is wrong for some dims, with one group masked entirely."""
    dims = AXES[name]
    x, mask = 3 * rng.randn(*SHAPE, dtype=F64), mask_for(rng, SHAPE, dims)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, dims), lambda t: theirs(t, mask, dims), (x,))


@points(1)
def test_float32(solution, rng):
    """The result has the dtype of x, and its precision."""
    x, mask = 4 * rng.randn(3, 4, 5), rng.mask(3, 4, 5)
    ours, theirs = solution.log_softmax, true_log_softmax
    assert_same_gradients(lambda t: ours(t, (0, 2)), lambda t: theirs(t, (0, 2)), (x,), scale=4.0)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, (0, 2)), lambda t: theirs(t, mask, (0, 2)), (x,), scale=4.0)


@points(2)
@pytest.mark.parametrize("dims", [(), (0, 0), (1, -2), (2, 0, -1)], ids=["none", "twice", "twice-by-sign", "of-three"])
def test_dims_that_make_no_sense(solution, rng, dims):
    """No dimension at all, or one that is named twice, is refused with ValueError by both functions."""
    x = rng.randn(2, 3, 4)
    with pytest.raises(ValueError):
        solution.log_softmax(x, dims)
    with pytest.raises(ValueError):
        solution.masked_softmax(x, torch.ones(2, 3, 4, dtype=torch.bool), dims)


@points(1)
@pytest.mark.parametrize(
    "shape", [(3,), (1, 1), (0, 2), (2, 3, 4)], ids=["one-dimension", "one-entry", "no-entries", "several-entries"]
)
def test_dims_are_checked_for_every_x(solution, rng, shape):
    """dims is checked whatever the shape of x and the values of the mask: an early return comes after the check."""
    x = rng.randn(*shape)
    for dims in ((), (0, 0), (0, -len(shape))):
        with pytest.raises(ValueError):
            solution.log_softmax(x, dims)
        for value in (True, False):
            with pytest.raises(ValueError):
                solution.masked_softmax(x, torch.full(shape, value), dims)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_scores_of_ten_thousand(solution, rng, dtype):
    """At scores of 10000 everything stays finite, in groups far below the others too."""
    x = torch.where(rng.mask(6, 4, 2), 1e4, -1e4) * rng.rand(6, 4, 2, dtype=F64)
    x[0] = -1e4 + rng.rand(4, 2, dtype=F64)
    x[1] = 1e4 + rng.rand(4, 2, dtype=F64)
    x = x.to(dtype)
    assert_close(solution.log_softmax(x, (1, 2)), true_log_softmax(x, (1, 2)))
    mask = mask_for(rng, (6, 4, 2), (1, 2))
    leaf = x.clone().requires_grad_()
    actual = solution.masked_softmax(leaf, mask, (1, 2))
    assert_close(actual.detach(), true_masked_softmax(x, mask, (1, 2)))
    (gradient,) = torch.autograd.grad(actual, leaf, rng.randn(6, 4, 2).to(dtype))
    check(bool(gradient.isfinite().all()), "a gradient of masked_softmax is not finite")


@points(1)
def test_enormous_scores(solution, rng):
    """A masked place must not be guarded by a number that scores of 1e30 can exceed."""
    x = torch.full((2, 2, 3), -1e30) + rng.randn(2, 2, 3)
    x[0, 1, 2] = 1e30
    mask = torch.ones(2, 2, 3, dtype=torch.bool)
    mask[0, 1, 2] = mask[1, 0, 0] = False
    assert_close(solution.masked_softmax(x, mask, (1, 2)), true_masked_softmax(x, mask, (1, 2)))


@points(2)
def test_precision_far_from_zero(solution, rng):
    """Near 10000 digits are lost: subtract large numbers from each other first, add the logarithm last."""
    x = (1e4 + 0.5 * rng.randn(20, 3, 2, dtype=F64)).float()
    assert_close(solution.log_softmax(x, (1, 2)), true_log_softmax(x, (1, 2)))


@points(1)
def test_confident_group(solution, rng):
    """A log-probability is exact also when the probability itself rounds to 0."""
    x = torch.tensor([[0.0, -800.0], [-900.0, -700.0]], dtype=F64) + rng.uniform(-1, 1)
    assert_close(solution.log_softmax(x, (0, 1)), true_log_softmax(x, (0, 1)))


@points(2)
@pytest.mark.parametrize("shape", ["fewer-dimensions", "ones", "single"])
def test_masks_that_broadcast(solution, rng, shape):
    """A mask with fewer dimensions or sizes of 1 is stretched to the shape of x; dims count the dimensions of x."""
    x = rng.randn(3, 4, 5, dtype=F64)
    mask, dims = {
        "fewer-dimensions": (lambda: rng.mask(4, 5), (0, 1)),
        "ones": (lambda: torch.tensor([[[True], [False], [True], [True]]]), (1, 2)),
        "single": (lambda: torch.tensor(rng.choice([True, False])), (0, -1)),
    }[shape]
    mask = mask()
    assert_close(solution.masked_softmax(x, mask, dims), true_masked_softmax(x, mask, dims))


@points(2)
@pytest.mark.parametrize("value", [INF, -INF, float("nan"), 1e4], ids=["inf", "minus-inf", "nan", "large"])
def test_what_is_masked_does_not_matter(solution, rng, value):
    """A masked place holds something odd, and it is seen in the result or in a gradient."""
    x, mask = rng.randn(4, 3, 2, dtype=F64), mask_for(rng, (4, 3, 2), (1, 2))
    x = x.masked_fill(~mask, value)
    leaf = x.clone().requires_grad_()
    actual = solution.masked_softmax(leaf, mask, (1, 2))
    assert_close(actual.detach(), true_masked_softmax(x, mask, (1, 2)))
    (gradient,) = torch.autograd.grad(actual, leaf, rng.randn(4, 3, 2, dtype=F64))
    check(bool(gradient.isfinite().all()), "a gradient is not finite")
    check(bool((gradient[~mask] == 0).all()), "a masked place received a gradient")
    check(bool((actual.detach()[~mask] == 0).all()), "a masked entry has a probability")


@points(2)
def test_gradient_behind_an_empty_group(solution, rng):
    """A group that is masked entirely sends NaN into weights that it shares with others: repair inputs, not outputs."""
    weight = rng.randn(3, 5, dtype=F64).requires_grad_()
    x, target = rng.randn(4, 2, 3, dtype=F64), rng.randn(4, 2, 5, dtype=F64)
    mask = mask_for(rng, (4, 2, 5), (1, 2))
    gradients = [
        torch.autograd.grad((f(x @ weight, mask, (1, 2)) * target).sum(), weight)[0]
        for f in (solution.masked_softmax, true_masked_softmax)
    ]
    assert_close(*gradients, name="gradient of the shared weight")


@points(1)
@pytest.mark.parametrize("shape", [(0, 5, 2), (3, 0, 2), (1, 1, 1)], ids=["no-groups", "empty-groups", "one-entry"])
def test_small_shapes(solution, rng, shape):
    """No groups, groups without entries, and groups of one entry."""
    mask = torch.ones(shape, dtype=torch.bool)
    for dtype in (F32, F64):
        x = rng.randn(*shape, dtype=dtype)
        expected = torch.zeros(shape, dtype=dtype)
        assert_close(solution.log_softmax(x, (1, 2)), expected)
        assert_close(solution.masked_softmax(x, mask, (1, 2)), expected + 1)


@points(1)
def test_groups_of_one_entry(solution, rng):
    """In a group of one entry, its log-probability is 0, and its probability is 1 or, if it is masked, 0. Gradients are 0."""
    x, mask = rng.randn(4, 1, 3, 1, dtype=F64), rng.mask(4, 1, 3, 1)
    mask[0, 0, 0, 0], mask[0, 0, 1, 0] = True, False
    assert_same_gradients(lambda t: solution.log_softmax(t, (1, 3)), lambda t: true_log_softmax(t, (1, 3)), (x,))
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, (1, 3)), lambda t: theirs(t, mask, (1, 3)), (x,))


@points(1)
def test_every_group_is_masked(solution, rng):
    """If the mask has no True at all, values are 0 and so are gradients: the result belongs to a graph nevertheless."""
    x, mask = rng.randn(3, 4, 2, dtype=F64), torch.zeros(3, 4, 2, dtype=torch.bool)
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, (1, 2)), lambda t: theirs(t, mask, (1, 2)), (x,))


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    x = {
        "transposed": lambda: rng.randn(2, 5, 3, dtype=F64).transpose(1, 2),
        "strided": lambda: rng.randn(4, 3, 10, dtype=F64)[::2, :, ::2],
        "expanded": lambda: rng.randn(2, 3, 1, dtype=F64).expand(2, 3, 5),
    }[layout]()
    mask = rng.mask(2, 5, 3).transpose(1, 2)
    assert_same_gradients(lambda t: solution.log_softmax(t, (1, 2)), lambda t: true_log_softmax(t, (1, 2)), (x,))
    ours, theirs = solution.masked_softmax, true_masked_softmax
    assert_same_gradients(lambda t: ours(t, mask, (0, 2)), lambda t: theirs(t, mask, (0, 2)), (x,))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither the scores nor the mask may be written to."""
    x, mask = rng.randn(3, 4, 2), rng.mask(3, 4, 2)
    assert_not_mutated(solution.log_softmax, x, (0, 1))
    assert_not_mutated(solution.masked_softmax, x, mask, (0, 1))


@attested
@points(2)
@pytest.mark.parametrize("which", ["log_softmax", "masked_softmax"])
def test_no_built_in_softmax(solution, attest, rng, which):
    """A softmax or logsumexp of the library ran: write it from exp, log, sum and maximum."""
    x, mask = rng.randn(3, 4, 2), rng.mask(3, 4, 2)
    arguments = (x, (1, 2)) if which == "log_softmax" else (x, mask, (1, 2))
    seen = attest(getattr(solution, which), *arguments)
    ready_made = ("softmax", "logsumexp", "cross_entropy", "attention")
    names = [name.rpartition("::")[2].lower() for name in seen.operators]
    check(not any(part in name for name in names for part in ready_made), "a softmax of the library ran")
