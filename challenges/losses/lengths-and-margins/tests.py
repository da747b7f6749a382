"""Hidden tests: lengths and margins, against the formulas in float64."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_ORDER = pytest.mark.parametrize("order", [1, 2])
SIZES = {"tiny": 1e-28, "small": 1e-10, "large": 1e10, "huge": 1e29}


def true_length(x, order, dim):
    """In float64, for inputs whose length is not 0."""
    return x.abs().sum(dim, keepdim=True) if order == 1 else x.square().sum(dim, keepdim=True).sqrt()


def true_unit(x, order=2, dim=-1):
    wide = x.double()
    return (wide / true_length(wide, order, tuple(range(x.dim())) if dim is None else dim)).to(x.dtype)


def true_cosine(a, b):
    a, b, dtype = a.double(), b.double(), a.dtype
    return ((a * b).sum(-1) / ((a * a).sum(-1).sqrt() * (b * b).sum(-1).sqrt())).to(dtype)


def true_hinge(scores, labels, margin=1.0):
    return torch.stack([torch.relu(margin - y * s) for s, y in zip(scores, labels.tolist(), strict=True)]).mean()


def true_triplet(anchor, positive, negative, margin=1.0):
    a, p, n = anchor.double(), positive.double(), negative.double()
    near, far = ((a - other).square().sum(-1).sqrt() for other in (p, n))
    return torch.relu(near - far + margin).mean().to(anchor.dtype)


def true_cosine_loss(a, b, labels, margin=0.0):
    cos = true_cosine(a.double(), b.double())
    rows = [1 - c if y == 1 else torch.relu(c - margin) for c, y in zip(cos, labels.tolist(), strict=True)]
    return torch.stack(rows).mean().to(a.dtype)


def signs(rng, n):
    labels = 2 * rng.randint(0, 2, (n,)) - 1
    labels[0], labels[1] = 1, -1
    return labels


@sample
@points(1)
def test_unit_by_hand(solution):
    """(3, -4) has the length 5, or 7 as a sum of magnitudes; zeros stay zeros."""
    x = torch.tensor([[3.0, -4.0], [0.0, 0.0]])
    assert_close(solution.unit(x), torch.tensor([[0.6, -0.8], [0.0, 0.0]]))
    assert_close(solution.unit(x, 1), torch.tensor([[3 / 7, -4 / 7], [0.0, 0.0]]))


@sample
@points(1)
def test_cosine_by_hand(solution):
    """Right angles give 0, opposite vectors -1, and a vector without a direction 0."""
    a = torch.tensor([[3.0, 4.0], [1.0, 2.0], [0.0, 0.0], [2.0, 0.0]])
    b = torch.tensor([[4.0, -3.0], [-2.0, -4.0], [1.0, 1.0], [3.0, 4.0]])
    assert_close(solution.cosine(a, b), torch.tensor([0.0, -1.0, 0.0, 0.6]))


@sample
@points(1)
def test_losses_by_hand(solution):
    """Three losses whose rows can be computed in the head."""
    scores, labels = torch.tensor([2.0, 0.5, 0.5]), torch.tensor([1, 1, -1])
    assert_close(solution.hinge_loss(scores, labels), torch.tensor((0 + 0.5 + 1.5) / 3))
    a, p, n = (
        torch.tensor([[0.0, 0.0], [1.0, 1.0]]),
        torch.tensor([[3.0, 4.0], [1.0, 2.0]]),
        torch.tensor([[0.0, 2.0], [9.0, 1.0]]),
    )
    assert_close(solution.triplet_loss(a, p, n), torch.tensor((5 - 2 + 1 + 0) / 2))
    a, b = torch.tensor([[3.0, 4.0]] * 2), torch.tensor([[2.0, 0.0]] * 2)
    assert_close(solution.cosine_loss(a, b, torch.tensor([1, -1]), 0.5), torch.tensor((0.4 + 0.1) / 2))


@points(2)
@EACH_ORDER
@EACH_DTYPE
def test_unit(solution, rng, dtype, order):
    """A value or gradient of unit differs: the length depends on every element along dim, and the gradient knows."""
    for shape, dim in (((5,), -1), ((3, 4), -1), ((3, 4), 0), ((2, 3, 4), 1), ((3, 4), None), ((2, 3, 2), None)):
        x = rng.randn(*shape, dtype=dtype)
        assert_same_gradients(solution.unit, true_unit, (x, order, dim), wrt=[0], names=("x",), scale=4.0)


@points(2)
@EACH_DTYPE
def test_cosine(solution, rng, dtype):
    """A cosine or its gradient differs; leading dimensions broadcast."""
    for first, second in (((5,), (5,)), ((3, 4), (3, 4)), ((3, 1, 4), (2, 4)), ((4,), (2, 3, 4))):
        inputs = rng.randn(*first, dtype=dtype), rng.randn(*second, dtype=dtype)
        assert_same_gradients(solution.cosine, true_cosine, inputs, names=("a", "b"), scale=4.0)


@points(2)
@pytest.mark.parametrize("margin", [1.0, 0.25, 3.0])
@EACH_DTYPE
def test_hinge_loss(solution, rng, dtype, margin):
    """The loss or its gradient differs: a row counts only if the label times its score is below the margin."""
    inputs = 2 * rng.randn(11, dtype=dtype), signs(rng, 11), margin
    assert_same_gradients(solution.hinge_loss, true_hinge, inputs, wrt=[0], names=("scores",))


@points(2)
@pytest.mark.parametrize("margin", [1.0, 0.2, 5.0])
@EACH_DTYPE
def test_triplet_loss(solution, rng, dtype, margin):
    """The loss or a gradient differs: distances are Euclidean, not squared, and the margin is added."""
    for n, d in ((7, 3), (1, 5), (4, 1)):
        inputs = (*(rng.randn(n, d, dtype=dtype) for _ in range(3)), margin)
        if float(true_triplet(*inputs)) > 0:
            names = ("anchor", "positive", "negative")
            assert_same_gradients(solution.triplet_loss, true_triplet, inputs, wrt=[0, 1, 2], names=names, scale=4.0)
        assert_close(solution.triplet_loss(*inputs), true_triplet(*inputs), scale=4.0)


@points(2)
@pytest.mark.parametrize("margin", [0.0, 0.3, -0.5])
@EACH_DTYPE
def test_cosine_loss(solution, rng, dtype, margin):
    """The loss or a gradient differs: pairs that belong together want the cosine 1, the others at most the margin."""
    inputs = rng.randn(9, 3, dtype=dtype), rng.randn(9, 3, dtype=dtype), signs(rng, 9), margin
    assert_same_gradients(solution.cosine_loss, true_cosine_loss, inputs, wrt=[0, 1], names=("a", "b"), scale=4.0)


@points(1)
def test_defaults(solution, rng):
    """Without options: Euclidean length along the last dimension, margins of 1, 1 and 0."""
    x, y, z = (rng.randn(5, 3, dtype=F64) for _ in range(3))
    labels = signs(rng, 5)
    assert_close(solution.unit(x[:, :1]), x[:, :1].sign())
    assert_close(solution.cosine(x[:, :1], y[:, :1]), (x * y)[:, 0].sign())
    assert_close(solution.unit(x), true_unit(x))
    assert_close(solution.hinge_loss(x[:, 0], labels), true_hinge(x[:, 0], labels))
    assert_close(solution.triplet_loss(x, y, z), true_triplet(x, y, z))
    assert_close(solution.cosine_loss(x, y, labels), true_cosine_loss(x, y, labels))


@points(3)
@pytest.mark.parametrize("size", SIZES)
def test_size_does_not_matter(solution, rng, size):
    """Large or tiny numbers give a wrong value: a square overflows or becomes 0, or a length has a lower limit or an epsilon."""
    by = SIZES[size]
    x, y, z = (by * rng.randn(4, 5) for _ in range(3))
    for order in (1, 2):
        assert_close(solution.unit(x, order), true_unit(x, order), scale=4.0)
    assert_close(solution.unit(x, 2, None), true_unit(x, 2, None), scale=4.0)
    one = rng.randn(5)
    assert_close(solution.cosine(x, one), true_cosine(x, one), scale=4.0)
    assert_close(solution.cosine(x, y), true_cosine(x, y), scale=4.0)
    found, expected = solution.triplet_loss(x, y, z, by), true_triplet(x, y, z, by)
    assert_close(found / by, expected / by, scale=4.0, name="triplet_loss")


@points(2)
@pytest.mark.parametrize("size", ["small", "large"])
def test_gradients_of_any_size(solution, rng, size):
    """The gradient of a length is right for large and small numbers too: what was divided out cancels."""
    x, y = SIZES[size] * rng.randn(3, 4), SIZES[size] * rng.randn(3, 4)
    for order in (1, 2):
        assert_same_gradients(solution.unit, true_unit, (x, order), wrt=[0], names=("x",), scale=8.0)
    assert_same_gradients(solution.cosine, true_cosine, (x, y), names=("a", "b"), scale=8.0)


@points(2)
@EACH_DTYPE
def test_vectors_of_zeros(solution, rng, dtype):
    """A vector without a length gives 0, with finite gradients for it and right ones for its neighbours."""
    x, other = rng.randn(3, 4, dtype=dtype), rng.randn(3, 4, dtype=dtype)
    x[1] = 0
    for call in (
        lambda v: solution.unit(v),
        lambda v: solution.unit(v, 1),
        lambda v: solution.cosine(v, other),
        lambda v: solution.cosine(other, v),
    ):
        leaf = x.clone().requires_grad_()
        out = call(leaf)
        check(bool((out[1] == 0).all()), "a vector of zeros does not give 0")
        out.sum().backward()
        check(leaf.grad is not None and bool(leaf.grad.isfinite().all()), "a gradient is not finite")
    leaf, expected = x.clone().requires_grad_(), x[[0, 2]].clone().requires_grad_()
    solution.unit(leaf).square().mul(other).sum().backward()
    true_unit(expected).square().mul(other[[0, 2]]).sum().backward()
    assert_close(leaf.grad[[0, 2]], expected.grad, scale=8.0, name="gradient of the other rows")
    assert_close(solution.unit(0 * x, 2, None), torch.zeros(3, 4, dtype=dtype), name="zeros only")


@points(2)
@EACH_DTYPE
def test_equal_points(solution, rng, dtype):
    """Where anchor and positive, or anchor and negative, are the same point, this distance has the gradient 0."""
    a, p, n = (rng.randn(4, 3, dtype=dtype) for _ in range(3))
    p[0], n[1] = a[0], a[1]
    p[2] = n[2] = a[2]
    leaves = [v.clone().requires_grad_() for v in (a, p, n)]
    loss = solution.triplet_loss(*leaves, 9.0)
    near, far = (a - p).double().square().sum(1).sqrt(), (a - n).double().square().sum(1).sqrt()
    assert_close(loss.detach(), torch.relu(near - far + 9).mean().to(dtype))
    loss.backward()
    for leaf in leaves:
        check(leaf.grad is not None and bool(leaf.grad.isfinite().all()), "a gradient is not finite")
    towards = ((a - n).double() / far[:, None])[0].to(dtype)
    assert_close(leaves[0].grad[0], -towards / 4, scale=8.0, name="gradient of the anchor on its positive")
    assert_close(leaves[1].grad[0], torch.zeros(3, dtype=dtype), name="gradient of a positive on its anchor")
    assert_close(leaves[0].grad[2], torch.zeros(3, dtype=dtype), name="gradient where all points are equal")


@points(1)
def test_rows_beyond_the_margin(solution):
    """A row that keeps its margin adds nothing to the loss, and receives no gradient."""
    scores = torch.tensor([5.0, -5.0, 0.0], requires_grad=True)
    solution.hinge_loss(scores, torch.tensor([1, -1, 1])).backward()
    assert_close(scores.grad, torch.tensor([0.0, 0.0, -1 / 3]), name="gradient of scores")
    anchor = torch.zeros(2, 2, requires_grad=True)
    far, near = torch.tensor([[9.0, 0.0], [9.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    loss = solution.triplet_loss(anchor, near, far)
    assert_close(loss.detach(), torch.tensor(0.0))
    loss.backward()
    assert_close(anchor.grad, torch.zeros(2, 2), name="gradient of anchor")


@points(2)
def test_only_directions_count(solution, rng):
    """A cosine does not change when a vector grows, unit does not change when applied twice, and has the length 1."""
    x, y = rng.randn(3, 4, dtype=F64), rng.randn(3, 4, dtype=F64)
    factor = 10.0 ** rng.randn(3, 1, dtype=F64)
    assert_close(solution.cosine(factor * x, y), solution.cosine(x, y), scale=8.0)
    once = solution.unit(x)
    assert_close(solution.unit(once), once, scale=8.0)
    assert_close(once.square().sum(-1), torch.ones(3, dtype=F64), scale=8.0, name="square of the length")
    assert_close(solution.unit(x, 1).abs().sum(-1), torch.ones(3, dtype=F64), scale=8.0, name="sum of the magnitudes")


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is changed."""
    x, y, z = (rng.randn(4, 6, dtype=F64).T[::2] for _ in range(3))
    labels = signs(rng, 3)
    assert_close(assert_not_mutated(solution.unit, x, 1, 0), true_unit(x, 1, 0))
    assert_close(assert_not_mutated(solution.cosine, x, y), true_cosine(x, y))
    assert_close(assert_not_mutated(solution.triplet_loss, x, y, z, 4.0), true_triplet(x, y, z, 4.0))
    assert_close(assert_not_mutated(solution.cosine_loss, x, y, labels), true_cosine_loss(x, y, labels))
    assert_close(assert_not_mutated(solution.hinge_loss, x[:, 1], labels), true_hinge(x[:, 1], labels))


@points(1)
@pytest.mark.parametrize("order", [0, 3, -1])
def test_other_orders(solution, rng, order):
    """An order other than 1 and 2 is a ValueError."""
    with pytest.raises(ValueError):
        solution.unit(rng.randn(3), order)
