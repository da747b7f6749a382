"""Hidden tests: five guarded formulas. Values stay, and every gradient is the limit."""

import pytest
import torch

from grader.testing import assert_close, assert_gradcheck, assert_same_gradients, check, points, sample

EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
EACH_LINE = pytest.mark.parametrize("name", ["root", "log_line"])
FAR = [0.0, -0.0, 1.0, -1.0, 1e-30, 1e30, -1e30, -5.0, 4.0]


def slopes(f, x):
    """The derivative of an elementwise function, element by element."""
    x = x.clone().requires_grad_()
    f(x).sum().backward()
    return x.grad


@sample
@points(1)
def test_root_at_zero(solution):
    """root has the slope 1/2 for every x below 1, and at 0 in particular."""
    x = torch.tensor([-3.0, 0.0, 0.5, 4.0])
    assert_close(solution.root(x), torch.tensor([-1.0, 0.5, 0.75, 2.0]))
    assert_close(slopes(solution.root, x), torch.tensor([0.5, 0.5, 0.5, 0.25]), name="gradient")


@sample
@points(1)
def test_sinc_at_zero(solution):
    """sinc has a maximum at 0: the value is 1, the slope is 0."""
    x = torch.tensor([0.0, torch.pi])
    assert_close(solution.sinc(x), torch.tensor([1.0, 0.0]))
    assert_close(slopes(solution.sinc, x), torch.tensor([0.0, -1 / torch.pi]), name="gradient")


@sample
@points(1)
def test_row_without_positions(solution):
    """A row in which nothing is valid gives zeros, and its elements get the gradient zero."""
    x = torch.tensor([[[1.0], [3.0]], [[5.0], [7.0]]], requires_grad=True)
    mask = torch.tensor([[True, True], [False, False]])
    out = solution.masked_mean(x, mask)
    assert_close(out.detach(), torch.tensor([[2.0], [0.0]]))
    out.sum().backward()
    assert_close(x.grad, torch.tensor([[[0.5], [0.5]], [[0.0], [0.0]]]), name="gradient of x")


@points(2)
@EACH_DTYPE
@EACH_LINE
def test_lines(solution, reference, rng, name, dtype):
    """Values or gradients of root or log_line are off at some x: look at zero, below zero, and far out."""
    x = torch.cat([torch.tensor(FAR, dtype=dtype), 2 * rng.randn(12, dtype=dtype)])
    assert_same_gradients(getattr(solution, name), getattr(reference, name), (x,))


@points(1)
@EACH_LINE
def test_at_one(solution, name):
    """At x = 1 both pieces meet with one slope: the gradient there is that slope once, neither zero nor twice."""
    expected = 0.5 if name == "root" else 1.0
    actual = slopes(getattr(solution, name), torch.ones(3, dtype=torch.float64))
    assert_close(actual, torch.full((3,), expected, dtype=torch.float64), name="gradient")


@points(1)
@EACH_LINE
def test_lines_by_finite_differences(solution, rng, name):
    """The gradients of root and log_line agree with finite differences away from the guard too."""
    x = rng.randn(6, dtype=torch.float64) + torch.tensor([-3.0, 3.0] * 3, dtype=torch.float64)
    assert_gradcheck(getattr(solution, name), (x,))


@points(2)
@EACH_DTYPE
def test_sinc(solution, reference, rng, dtype):
    """sinc is off somewhere: zero of either sign is the only special point, close to it the quotient is fine."""
    # The derivative of the quotient is a difference of two numbers of size 1/x: close to zero, float32 has too few digits for it.
    near = 0.5 if dtype == torch.float32 else 1e-3
    others = 3 * rng.randn(7, dtype=dtype)
    x = torch.cat(
        [torch.tensor([0.0, -0.0, near, -near, 50.0, 1e30, -1e30], dtype=dtype), others + 0.2 * others.sign()]
    )
    assert_same_gradients(solution.sinc, reference.sinc, (x.reshape(2, 7),))


def masks(rng, rows=4, length=5):
    """A random mask whose first row has one position, whose second has none, whose third has all."""
    mask = rng.mask(rows, length, p=0.5)
    mask[:3] = False
    mask[0, rng.integer(0, length)] = True
    mask[2] = True
    return mask


@points(2)
@EACH_DTYPE
def test_masked_mean(solution, reference, rng, dtype):
    """The masked mean or its gradient is off for rows with none, one, some or all positions."""
    mask = masks(rng)
    x = rng.randn(4, 5, 3, dtype=dtype)
    assert_same_gradients(lambda t: solution.masked_mean(t, mask), lambda t: reference.masked_mean(t, mask), (x,))


@points(2)
@pytest.mark.parametrize("value", [float("nan"), float("inf")], ids=["nan", "inf"])
def test_padding_holds_anything(solution, reference, rng, value):
    """Padding may hold NaN or inf: neither may reach the mean or a gradient, and a product with 0 lets them through."""
    mask = masks(rng)
    x = torch.where(mask.unsqueeze(-1), rng.randn(4, 5, 2, dtype=torch.float64), value)
    assert_same_gradients(lambda t: solution.masked_mean(t, mask), lambda t: reference.masked_mean(t, mask), (x,))


@points(1)
def test_masked_mean_keeps_bad_values(solution, rng):
    """A NaN at a valid position must be seen in the mean: hiding it would only move the bug."""
    x = rng.randn(2, 3, 2, dtype=torch.float64)
    x[1, 2, 0] = float("nan")
    out = solution.masked_mean(x, torch.ones(2, 3, dtype=torch.bool))
    check(bool(out[1, 0].isnan()), "the NaN of a valid position has been replaced")
    check(bool(out[0].isfinite().all()) and bool(out[1, 1].isfinite()), "a NaN has reached other rows or columns")


@points(2)
@EACH_DTYPE
def test_distances(solution, reference, rng, dtype):
    """Distances or their gradients are off: equal points have distance 0 and gradient 0, all others are as before."""
    a = rng.randn(4, 3, dtype=dtype)
    b = torch.cat([rng.randn(2, 3, dtype=dtype), a[1:3]])
    assert_same_gradients(solution.distances, reference.distances, (a, b))


@points(1)
def test_distances_to_itself(solution, reference, rng):
    """distances(x, x): the whole diagonal is singular, and none of it may spoil the gradient of x."""
    x = rng.randn(5, 2, dtype=torch.float64)
    assert_same_gradients(lambda t: solution.distances(t, t), lambda t: reference.distances(t, t), (x,))


@points(1)
def test_distances_by_finite_differences(solution, rng):
    """For points that lie apart the gradient of the distance agrees with finite differences."""
    a, b = rng.randn(2, 3, dtype=torch.float64), rng.randn(3, 3, dtype=torch.float64) + 4
    assert_gradcheck(solution.distances, (a, b))


@points(1)
def test_small_distances(solution, rng):
    """Distances of 1e-6 are distances: no number may be added under the root, and none is rounded down to zero."""
    a = rng.randn(3, 2, dtype=torch.float64)
    step = torch.tensor([[3e-6, 4e-6]], dtype=torch.float64)
    assert_close(solution.distances(a, a + step).diagonal(), torch.full((3,), 5e-6, dtype=torch.float64), rtol=1e-6)


@points(1)
def test_small_distances_of_many_points(solution, rng):
    """Distances stay exact for many points too: no formula through a² + b² - 2ab, by whatever name."""
    a = rng.randn(40, 2, dtype=torch.float64)
    step = torch.tensor([[3e-6, 4e-6]], dtype=torch.float64)
    assert_close(solution.distances(a, a + step).diagonal(), torch.full((40,), 5e-6, dtype=torch.float64), rtol=1e-6)


@points(1)
@EACH_DTYPE
def test_batch_of_padding(solution, rng, dtype):
    """A batch that is all padding gives zeros, in the dtype of x."""
    out = solution.masked_mean(rng.randn(2, 3, 4, dtype=dtype), torch.zeros(2, 3, dtype=torch.bool))
    assert_close(out, torch.zeros(2, 4, dtype=dtype))


@points(1)
@pytest.mark.parametrize("name", ["root", "sinc", "masked_mean", "distances"])
def test_empty(solution, name):
    """Tensors without elements go through all functions and keep their shape."""
    empty = torch.zeros(0, 3)
    if name == "masked_mean":
        out = solution.masked_mean(torch.zeros(2, 0, 3), torch.zeros(2, 0, dtype=torch.bool))
        assert_close(out, torch.zeros(2, 3))
        nobody = solution.masked_mean(torch.zeros(0, 2, 3), torch.zeros(0, 2, dtype=torch.bool))
        assert_close(nobody, torch.zeros(0, 3))
    elif name == "distances":
        assert_close(solution.distances(empty, torch.ones(4, 3)), torch.zeros(0, 4))
    else:
        assert_close(getattr(solution, name)(empty), empty)
