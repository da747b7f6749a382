"""Hidden tests: principal components from an SVD."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("mean", "components", "variance", "share")


def directions(rng, d):
    """An orthogonal matrix whose rows each have one entry that is clearly the largest."""
    while True:
        v = torch.linalg.qr(rng.randn(d, d, dtype=F64)).Q
        top = v.abs().sort(dim=1, descending=True).values
        if d == 1 or bool((top[:, 0] - top[:, 1] > 0.02).all()):
            return v


def data(rng, n, d, deviations, dtype=F64, mean=10.0, along=None):
    """Rows with these standard deviations along random directions, or those given, and a mean that is far from 0."""
    r = len(deviations)
    scores = rng.randn(n, r, dtype=F64)
    scores = torch.linalg.qr(scores - scores.mean(0)).Q * (n - 1) ** 0.5
    x = scores * torch.tensor(deviations, dtype=F64) @ (directions(rng, d)[:r] if along is None else along)
    return (x + mean * rng.randn(d, dtype=F64)).to(dtype)


def falling(r, first=3.0):
    """Standard deviations that differ clearly."""
    return [first * 0.6**i for i in range(r)]


def expected(x, k):
    """Eigenvalues and eigenvectors of the covariance, in float64."""
    wide = x.double()
    mean = wide.mean(0)
    values, vectors = torch.linalg.eigh((wide - mean).T @ (wide - mean) / (len(x) - 1))
    values, rows = values.flip(0), vectors.flip(1).T
    rows = rows * rows.gather(1, rows.detach().abs().argmax(1, keepdim=True)).sign()
    return tuple(t.to(x.dtype) for t in (mean, rows[:k], values[:k], values[:k] / values.sum()))


def compare(found, wanted, scale=4.0):
    check(isinstance(found, tuple) and len(found) == 4, "the result must be (mean, components, variance, share)")
    for name, a, b in zip(NAMES, found, wanted, strict=True):
        assert_close(a, b, scale=scale, name=name)


def check_form(components, variance):
    """What holds for each rank: orthonormal rows with the sign of the statement, variances that fall and are not negative."""
    assert_close(
        components @ components.T, torch.eye(len(components), dtype=components.dtype), name="products of components"
    )
    largest = components.gather(1, components.abs().argmax(1, keepdim=True))
    check(bool((largest > 0).all()), "the entry with the largest absolute value is not positive")
    check(bool((variance >= 0).all()), "a variance is negative")
    check(bool((variance[1:] <= variance[:-1]).all()), "the variances do not fall")


@sample
@points(1)
def test_axes_by_hand(solution):
    """Variances 8/3 and 2/3 along the axes: the first component has four fifths of the total."""
    x = torch.tensor([[12.0, 5.0], [8.0, 5.0], [10.0, 6.0], [10.0, 4.0]])
    wanted = torch.tensor([10.0, 5.0]), torch.eye(2), torch.tensor([8 / 3, 2 / 3]), torch.tensor([0.8, 0.2])
    compare(solution.fit(x, 2), wanted)


@sample
@points(1)
def test_sign_by_hand(solution):
    """Rows along (3, -4): the larger entry of the component is the second, and it is positive."""
    x = torch.tensor([[1.0, 2.0], [4.0, -2.0], [7.0, -6.0]])
    wanted = torch.tensor([4.0, -2.0]), torch.tensor([[-0.6, 0.8]]), torch.tensor([25.0]), torch.tensor([1.0])
    compare(solution.fit(x, 1), wanted)


@sample
@points(1)
def test_there_and_back_by_hand(solution):
    """Coordinates are relative to the mean, and the mean comes back."""
    mean, components = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([[0.0, 0.6, 0.8], [1.0, 0.0, 0.0]])
    z = solution.transform(torch.tensor([[3.0, 7.0, 13.0]]), mean, components)
    assert_close(z, torch.tensor([[11.0, 2.0]]), name="coordinates")
    back = solution.inverse_transform(z, mean, components)
    assert_close(back, torch.tensor([[3.0, 8.6, 11.8]]), name="rows")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(7, 3, 2), (5, 11, 3), (13, 1, 1), (2, 5, 1), (29, 5, 5)], ids=str)
def test_fit(solution, rng, sizes, dtype):
    """Mean, components, variance or share differ."""
    n, d, k = sizes
    x = data(rng, n, d, falling(min(n - 1, d)), dtype)
    compare(solution.fit(x, k), expected(x, k))


@points(3)
def test_signs(solution, rng):
    """The sign must be that of the entry with the largest absolute value: not the first, not the sum, one for each component."""
    for dtype in (F32, F64, F32, F64, F32, F64):
        # A reflection: each row has one entry of 0.6 and four of -0.4, and a negative sum.
        mirror = torch.eye(5, dtype=F64)[rng.permutation(5)] - 0.4
        x = data(rng, 13, 5, falling(5), dtype, mean=1.0, along=mirror)
        assert_close(solution.fit(x, 5)[1], mirror.to(dtype), scale=4.0, name="components")


@points(2)
def test_large_numbers(solution, rng):
    """Rows that are a thousand times larger have the same components and shares, and a million times the variance."""
    x = data(rng, 17, 5, falling(5))
    mean, components, variance, share = expected(x, 3)
    compare(solution.fit(1000 * x, 3), (1000 * mean, components, 1e6 * variance, share))


@points(2)
def test_offset(solution, rng):
    """Adding the same vector to all rows moves the mean and nothing else."""
    x, offset = data(rng, 11, 3, falling(3)), 100 * rng.randn(3, dtype=F64)
    mean, components, variance, share = expected(x, 3)
    compare(solution.fit(x + offset, 3), (mean + offset, components, variance, share), scale=64.0)


@points(2)
def test_share_of_everything(solution, rng):
    """The shares refer to the variance of the whole data: those of all components sum to 1, those of some to less."""
    x = data(rng, 19, 7, falling(7))
    share = solution.fit(x, 7)[3]
    assert_close(share.sum(), torch.ones((), dtype=F64), name="sum of all shares")
    _, _, variance, some = solution.fit(x, 3)
    assert_close(some, share[:3], name="first shares")
    assert_close(variance / x.var(0).sum(), some, name="variance by total variance")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(4, 6, 4, 3), (9, 5, 5, 2), (2, 7, 2, 1)], ids=str)
def test_low_rank(solution, rng, sizes, dtype):
    """With k above the rank, variances are 0 and directions are still orthonormal: nothing may be NaN or be dropped."""
    n, d, k, r = sizes
    x = data(rng, n, d, falling(r), dtype, mean=1.0)
    mean, components, variance, share = solution.fit(x, k)
    wanted = expected(x, r)
    compare((mean, components[:r], variance[:r], share[:r]), wanted)
    check(components.shape == (k, d) and variance.shape == share.shape == (k,), "k components expected")
    check_form(components, variance)
    zeros = torch.zeros(k - r, dtype=dtype)
    assert_close(variance[r:], zeros, name="variance beyond the rank")
    assert_close(share[r:], zeros, name="share beyond the rank")


@points(2)
@EACH_DTYPE
def test_equal_rows(solution, dtype):
    """Equal rows have no variance: variances and shares must be 0, not NaN, and directions orthonormal."""
    x = torch.tensor([[3.0, -2.0, 5.0]], dtype=dtype).repeat(4, 1)
    mean, components, variance, share = solution.fit(x, 2)
    assert_close(mean, x[0], name="mean")
    assert_close(variance, torch.zeros(2, dtype=dtype), name="variance")
    assert_close(share, torch.zeros(2, dtype=dtype), rtol=0.0, atol=0.0, name="share")
    check_form(components, variance)


@points(3)
def test_small_variances(solution, rng):
    """In float32, a small variance is wrong (the covariance squares the singular values: digits are lost), or a sign is."""
    # An SVD errs by a few 2**-24 of the largest singular value: a thousandth of one that is 10,000 times smaller. The square
    # of the small one is 1e-8 of the largest square, less than 2**-24.
    for _ in range(4):
        x = data(rng, 23, 3, [1.0, 0.1, 1e-4], F32, mean=0.0)
        _, components, variance, share = solution.fit(x, 3)
        _, _, exact, parts = expected(x, 3)
        check(variance.dtype == share.dtype == F32, "the results must have the dtype of x")
        check(abs(float(variance[2] / exact[2]) - 1) < 0.05, "the smallest variance is off by more than a twentieth")
        check(abs(float(share[2] / parts[2]) - 1) < 0.05, "the smallest share is off by more than a twentieth")
        check_form(components, variance)


@points(2)
@EACH_DTYPE
def test_scores(solution, rng, dtype):
    """The scores of the fitted rows have mean 0, are uncorrelated, and have the variances that fit has returned."""
    x = data(rng, 31, 5, falling(5), dtype, mean=1.0)
    mean, components, variance, _ = solution.fit(x, 4)
    z = solution.transform(x, mean, components)
    assert_close(
        z.mean(0), torch.zeros(4, dtype=dtype), atol=1e-5 if dtype == F32 else 1e-11, name="mean of the scores"
    )
    assert_close(torch.cov(z.T), variance.diag(), scale=4.0, name="covariance of the scores")


@points(2)
@pytest.mark.parametrize("k", [1, 3, 5])
def test_reconstruction(solution, rng, k):
    """Going there and back must lose exactly the variance that is not explained, and nothing with all components."""
    x = data(rng, 13, 5, falling(5))
    mean, components, variance, _ = solution.fit(x, k)
    back = solution.inverse_transform(solution.transform(x, mean, components), mean, components)
    lost = (x - back).square().sum() / 12
    # With all components the difference is 0, but for the rounding of both sums.
    assert_close(lost, x.var(0).sum() - variance.sum(), scale=16.0, name="lost variance")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("m", [0, 7])
def test_other_rows(solution, rng, m, dtype):
    """Rows that were not fitted are measured from the mean that is passed, whatever their own mean; there may be none."""
    x, mean, components = rng.randn(m, 5, dtype=dtype), rng.randn(5, dtype=dtype), directions(rng, 5)[:3].to(dtype)
    z = solution.transform(x, mean, components)
    assert_close(z, torch.stack([(x - mean) @ c for c in components], dim=1), name="coordinates")
    wanted = mean + sum(z[:, j, None] * components[j] for j in range(3))
    assert_close(solution.inverse_transform(z, mean, components), wanted, name="rows")


@points(2)
@pytest.mark.parametrize("part", range(4), ids=NAMES)
def test_gradients_of_fit(solution, rng, part):
    """A result of fit, or its gradient, is wrong: was it detached, or the sign computed as a part of the graph?"""
    x = data(rng, 11, 5, falling(5))
    assert_same_gradients(
        lambda x: solution.fit(x, 3)[part], lambda x: expected(x, 3)[part], (x,), names=("x",), scale=64.0
    )


@points(2)
def test_gradients_of_transforms(solution, rng):
    """No gradient, or a wrong one, reaches the rows, the mean or the components."""
    x, mean, components = rng.randn(7, 5, dtype=F64), rng.randn(5, dtype=F64), rng.randn(3, 5, dtype=F64)
    names = ("x", "mean", "components")
    assert_same_gradients(solution.transform, lambda x, m, c: (x - m).matmul(c.t()), (x, mean, components), names=names)
    z = rng.randn(7, 3, dtype=F64)
    assert_same_gradients(
        solution.inverse_transform, lambda z, m, c: z.matmul(c) + m, (z, mean, components), names=("z", *names[1:])
    )


@points(2)
@pytest.mark.parametrize("case", [(5, 3, 0), (5, 3, -1), (5, 3, 4), (3, 5, 4), (1, 4, 1)], ids=str)
def test_errors(solution, rng, case):
    """Fewer than two rows, and k outside 1 to min(n, d), are a ValueError."""
    n, d, k = case
    with pytest.raises(ValueError):
        solution.fit(rng.randn(n, d), k)


@points(2)
def test_views_and_arguments(solution, rng):
    """Views are ordinary inputs, and no argument is modified."""
    x = data(rng, 13, 3, falling(3)).t().contiguous().t()
    found = assert_not_mutated(solution.fit, x, 2)
    compare(found, expected(x, 2))
    wide = torch.zeros(26, 6, dtype=F64)
    wide[::2, ::2] = x
    compare(solution.fit(wide[::2, ::2], 2), expected(x, 2))
    mean, components = found[:2]
    z = assert_not_mutated(solution.transform, x, mean, components)
    assert_not_mutated(solution.inverse_transform, z, mean, components)
