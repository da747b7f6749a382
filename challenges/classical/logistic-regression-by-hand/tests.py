"""Hidden tests: logistic regression without autograd."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
RESULTS = ("loss", "grad_w", "grad_b")


def expected(x, y, w, b, l2=0.0):
    """The loss of torch, and its gradient by autograd."""
    w, b = w.detach().clone().requires_grad_(), b.detach().clone().requires_grad_()
    loss = F.binary_cross_entropy_with_logits(x @ w + b, y.to(x.dtype)) + 0.5 * l2 * (w * w).sum()
    return loss.detach(), *torch.autograd.grad(loss, (w, b))


def length(x, y, w, b, l2=0.0):
    """The norm of the whole gradient, in float64."""
    _, grad_w, grad_b = expected(x.double(), y, w.double(), b.double(), l2)
    return math.hypot(float(grad_w.norm()), float(grad_b))


def descent(x, y, l2=0.0, lr=0.5, steps=1000, tol=1e-6):
    """The descent of the statement."""
    w, b = torch.zeros(x.shape[1], dtype=x.dtype), torch.zeros((), dtype=x.dtype)
    for taken in range(steps):
        _, grad_w, grad_b = expected(x, y, w, b, l2)
        if math.hypot(float(grad_w.norm()), float(grad_b)) <= tol:
            return w, b, taken
        w, b = w - lr * grad_w, b - lr * grad_b
    return w, b, steps


def compare(found, wanted, names=RESULTS, scale=1.0):
    check(isinstance(found, tuple) and len(found) == 3, f"the result must be ({', '.join(names)})")
    for name, a, b in zip(names, found, wanted, strict=True):
        assert_close(a, b, scale=scale, name=name)


def compare_fits(found, wanted, scale=1.0):
    check(isinstance(found, tuple) and len(found) == 3, "the result must be (w, b, taken)")
    check(type(found[2]) is int, "the number of steps must be an int")
    compare(found, wanted, ("w", "b", "taken"), scale)


def mixed(rng, n, d, dtype=F64):
    """Rows and labels that have nothing to do with each other: 60 of them in two dimensions are never separable."""
    y = rng.randint(0, 2, (n,))
    y[:2] = torch.tensor([0, 1])[:n]
    return rng.randn(n, d, dtype=dtype), y


def apart(rng, n, d, dtype=F64):
    """Rows on both sides of a gap, and their labels."""
    x, y = rng.randn(n, d, dtype=dtype), torch.arange(n) % 2
    x[:, 0] = (2 * y - 1) * (0.5 + rng.rand(n, dtype=dtype))
    return x, y


@sample
@points(1)
def test_at_zero_by_hand(solution):
    """At w = 0 each probability is one half: the loss is log 2, and the gradients are means of ±1/2 times a feature."""
    x, y = torch.tensor([[2.0, 0.0], [4.0, 1.0], [6.0, -1.0], [0.0, 4.0]]), torch.tensor([0, 1, 1, 1])
    found = solution.loss_and_gradient(x, y, torch.zeros(2), torch.tensor(0.0))
    compare(found, (torch.tensor(math.log(2)), torch.tensor([-1.0, -0.5]), torch.tensor(-0.25)))


@sample
@points(1)
def test_penalty_by_hand(solution):
    """Half of l2 times the squared norm of w joins the loss, l2 times w its gradient; the bias has no part in it."""
    x, y = torch.tensor([[1.0, 1.0], [1.0, 1.0]]), torch.tensor([True, False])
    w, b = torch.tensor([3.0, -4.0]), torch.tensor(1.0)
    found = solution.loss_and_gradient(x, y, w, b, l2=0.2)
    compare(found, (torch.tensor(math.log(2) + 2.5), torch.tensor([0.6, -0.8]), torch.tensor(0.0)))


@sample
@points(1)
def test_one_step_by_hand(solution):
    """The first step of a descent goes from 0 against the gradient at 0."""
    x, y = torch.tensor([[2.0], [4.0], [6.0], [0.0]]), torch.tensor([0, 1, 1, 1])
    compare_fits(solution.fit(x, y, lr=2.0, steps=1), (torch.tensor([2.0]), torch.tensor(0.5), 1))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(1, 1), (7, 3), (5, 5), (3, 11)], ids=str)
def test_values(solution, rng, sizes, dtype):
    """The loss or a gradient differs from what automatic differentiation gives."""
    x, y = mixed(rng, *sizes, dtype)
    w, b = rng.randn(sizes[1], dtype=dtype), rng.randn(dtype=dtype)
    for l2 in (0.0, 0.7):
        compare(solution.loss_and_gradient(x, y, w, b, l2), expected(x, y, w, b, l2), scale=4.0)


@points(2)
@EACH_DTYPE
def test_labels_of_each_dtype(solution, rng, dtype):
    """Labels may be bool, int64 or floating-point numbers, with the same result."""
    x, y = mixed(rng, 11, 3, dtype)
    w, b = rng.randn(3, dtype=dtype), rng.randn(dtype=dtype)
    for labels in (y, y.bool(), y.to(dtype)):
        compare(solution.loss_and_gradient(x, labels, w, b, 0.3), expected(x, y, w, b, 0.3), scale=4.0)
        found = solution.fit(x, labels, 0.3, steps=3)
        compare_fits(found, descent(x, y, 0.3, steps=3), scale=4.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("size", [60.0, 800.0, 1e4])
def test_large_scores(solution, rng, size, dtype):
    """A large score gave infinity, NaN or a loss that is cut off: stay with scores until the logarithm is taken."""
    scores = size * torch.tensor([1.0, 1.0, -1.0, -1.0, 0.5, -0.5, 0.0], dtype=dtype)
    y = torch.tensor([1, 0, 1, 0, 0, 1, 1])
    x = torch.stack([scores, rng.randn(7, dtype=dtype)], dim=1)
    w, b = torch.tensor([1.0, 0.0], dtype=dtype), torch.zeros((), dtype=dtype)
    each = scores.clamp(min=0) - y * scores + torch.log1p(torch.exp(-scores.abs()))
    p = torch.tensor([1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.5], dtype=dtype)  # to within 1e-13
    wanted = each.mean(), ((p - y)[:, None] * x).mean(0), (p - y).mean()
    compare(solution.loss_and_gradient(x, y, w, b), wanted)


@points(2)
def test_a_gradient_of_size_one_at_any_distance(solution):
    """A row that is wrong by far pulls with its whole weight: the loss must not be clamped."""
    x, y = torch.ones(1, 1, dtype=F64), torch.tensor([0])
    for score in (17.0, 40.0, 5000.0):
        found = solution.loss_and_gradient(x, y, torch.zeros(1, dtype=F64), torch.tensor(score, dtype=F64))
        p = torch.tensor(1 / (1 + math.exp(-score)), dtype=F64)
        compare(found, (torch.tensor(score + math.log1p(math.exp(-score)), dtype=F64), p[None], p))


@points(2)
def test_no_graph(solution, rng):
    """No result may ask for gradients, and all must be right when gradients are switched off."""
    x, y = mixed(rng, 7, 3)
    w, b = rng.randn(3, dtype=F64), rng.randn(dtype=F64)
    wanted = expected(x, y, w, b, 0.4)
    asking = [t.clone().requires_grad_() for t in (x, w, b)]
    found = solution.loss_and_gradient(asking[0], y, *asking[1:], 0.4)
    check(not any(t.requires_grad for t in found), "a result asks for gradients")
    compare(found, wanted)
    fitted = solution.fit(asking[0], y, steps=2)
    check(not any(t.requires_grad for t in fitted[:2]), "w or b asks for gradients")
    with torch.no_grad():
        compare(solution.loss_and_gradient(x, y, w, b, 0.4), wanted)
        trained = solution.fit(x, y, 0.1, steps=4)
    compare_fits(trained, descent(x, y, 0.1, steps=4))


@points(3)
@pytest.mark.parametrize("steps", [0, 1, 2, 17])
def test_descent(solution, rng, steps):
    """After some steps, w, b or their number differ: both move by the gradient at the same point, from zeros."""
    x, y = mixed(rng, 13, 3)
    for options in ({}, {"l2": 0.2, "lr": 0.9}):
        compare_fits(solution.fit(x, y, steps=steps, **options), descent(x, y, steps=steps, **options))


@points(2)
def test_defaults(solution, rng):
    """Without settings there is no penalty, the rate is 0.5, and the descent ends at 1e-6 or after 1000 steps."""
    x, y = mixed(rng, 60, 2)
    compare_fits(solution.fit(x, y), descent(x, y))
    check(solution.fit(*apart(rng, 8, 2))[2] == 1000, "separable data must take all of the 1000 steps")


@points(3)
@pytest.mark.parametrize("l2", [0.0, 0.1, 1.0])
@EACH_DTYPE
def test_end_of_the_descent(solution, rng, l2, dtype):
    """The norm of the whole gradient must have come down to the tolerance, and not long before the end."""
    x, y = mixed(rng, 60, 2, dtype)
    x = x + 1
    tol, lr = (1e-3 if dtype == F32 else 1e-7), (0.5 if l2 == 1.0 else 1.0)
    w, b, taken = solution.fit(x, y, l2, lr, tol=tol)
    check(0 < taken < 1000, "the descent must end before its last step")
    # In float32, the gradient itself has an error of about 1e-7.
    check(length(x, y, w, b, l2) <= tol * 1.001, "the norm of the gradient is above the tolerance")
    before = solution.fit(x, y, l2, lr, steps=taken - 1, tol=tol)
    check(before[2] == taken - 1, "the number of steps is wrong")
    check(length(x, y, *before[:2], l2) > tol * 0.999, "the norm was below the tolerance one step before")


@points(2)
def test_when_to_stop(solution):
    """No step is taken where the norm of the whole gradient is at most the tolerance, also with a tolerance of 0."""
    x, y = torch.tensor([[3.0], [3.0]]), torch.tensor([1, 0])
    wanted = torch.zeros(1), torch.tensor(0.0), 0
    compare_fits(solution.fit(x, y, tol=0.0), wanted)
    # The gradient at the start is (-1/2, -1/2): its norm is above 0.7, its entries, its square and that of w alone are not.
    x, y = torch.ones(1, 1), torch.tensor([1])
    compare_fits(solution.fit(x, y, tol=0.72), wanted)
    compare_fits(solution.fit(x, y, lr=1.0, tol=0.7), (torch.tensor([0.5]), torch.tensor(0.5), 1))


@points(2)
def test_free_bias(solution, rng):
    """With a strong penalty the bias still finds the share of ones: it must not be penalised."""
    x, y = mixed(rng, 50, 3)
    y = (torch.arange(50) < 9).long()
    w, b, taken = solution.fit(x, y, l2=2.0, lr=0.6, tol=1e-9)
    check(taken < 1000, "the descent must end before its last step")
    # The descent ends with a gradient of up to 1e-9, and both differences are parts of it.
    assert_close(torch.sigmoid(x @ w + b).mean(), torch.tensor(0.18, dtype=F64), atol=5e-9, name="mean probability")
    assert_close(-2 * w, x.T @ (torch.sigmoid(x @ w + b) - y) / 50, atol=5e-9, name="balance of loss and penalty")


@points(3)
@EACH_DTYPE
def test_separable(solution, rng, dtype):
    """On separable data w must go on growing and stay finite; a penalty gives an end."""
    x, y = apart(rng, 16, 3, dtype)
    previous = 0.0, math.inf
    for steps in (20, 100, 400):
        w, b, taken = solution.fit(x, y, lr=1.0, steps=steps)
        check(taken == steps, "without a penalty, all steps must be taken")
        check(bool(torch.isfinite(w).all() and torch.isfinite(b)), "the result is not finite")
        now = float(w.norm()), float(expected(x, y, w, b)[0])
        check(now[0] > previous[0] and now[1] < previous[1], "w must grow and the loss must fall")
        previous = now
    check(bool(((x @ w + b > 0) == (y == 1)).all()), "a row is on the wrong side")
    w, b, taken = solution.fit(x, y, l2=0.2, tol=1e-4)
    check(taken < 1000 and length(x, y, w, b, 0.2) < 1.01e-4, "with a penalty, the descent must find its end")


@points(1)
@pytest.mark.parametrize("label", [0, 1])
def test_one_class(solution, rng, label):
    """With one class alone, there is no minimum either, and nothing special happens."""
    x, y = rng.randn(9, 2, dtype=F64), torch.full((9,), label)
    compare_fits(solution.fit(x, y, steps=40), descent(x, y, steps=40))


@points(1)
def test_large_features(solution, rng):
    """With large features, the first steps go far: scores of many thousands must not give NaN."""
    x, y = mixed(rng, 13, 2)
    x = 300 * x
    compare_fits(solution.fit(x, y, lr=1.0, steps=3), descent(x, y, lr=1.0, steps=3), scale=4.0)


@points(2)
@pytest.mark.parametrize("labels", [[0, 1, 2], [-1, 1, 1], [0.0, 1.0, 0.5], [0.0, -1.0, 1.0]], ids=str)
def test_other_labels(solution, rng, labels):
    """Labels that are neither 0 nor 1 must be a ValueError in both functions."""
    x, y = rng.randn(3, 2), torch.tensor(labels)
    with pytest.raises(ValueError):
        solution.loss_and_gradient(x, y, torch.zeros(2), torch.tensor(0.0))
    for steps in (2, 0):
        with pytest.raises(ValueError):
            solution.fit(x, y, steps=steps)


@points(1)
def test_negative_penalty(solution, rng):
    """A negative l2 must be a ValueError in both functions."""
    x, y = mixed(rng, 5, 2, F32)
    with pytest.raises(ValueError):
        solution.loss_and_gradient(x, y, torch.zeros(2), torch.tensor(0.0), l2=-0.1)
    for steps in (2, 0):
        with pytest.raises(ValueError):
            solution.fit(x, y, l2=-1e-3, steps=steps)


@points(2)
def test_views_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is modified."""
    x, y, wide = rng.randn(3, 11, dtype=F64).t(), rng.randint(0, 2, (22,))[::2], rng.randn(6, dtype=F64)
    w, b = wide[::2], rng.randn(dtype=F64)
    found = assert_not_mutated(solution.loss_and_gradient, x, y, w, b, 0.6)
    compare(found, expected(x, y, w, b, 0.6))
    fitted = assert_not_mutated(solution.fit, x, y, 0.6, steps=5)
    compare_fits(fitted, descent(x, y, 0.6, steps=5))
