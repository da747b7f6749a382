"""Hidden tests: six activations from exp and erf."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
TORCH = {
    "relu": torch.relu,
    "leaky_relu": F.leaky_relu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "gelu": F.gelu,
    "silu": F.silu,
}
EACH = pytest.mark.parametrize("name", TORCH)
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def near(found, expected, name):
    """Close, with room for y (1 - y) where y is near 1: the rounding of y, times an x of up to 17 (36 in float64)."""
    rtol, atol = (1e-4, 1e-5) if expected.dtype is F32 else (1e-9, 1e-12)
    assert_close(found, expected, rtol=rtol, atol=atol, name=name)


def slopes(f, x, **options):
    """The gradient of the sum."""
    leaf = x.clone().requires_grad_()
    (grad,) = torch.autograd.grad(f(leaf, **options).sum(), leaf)
    return grad


@sample
@points(1)
def test_values_by_hand(solution):
    """Values at -1, 0 and 1."""
    x = torch.tensor([-1.0, 0.0, 1.0])
    expected = {
        "relu": [0.0, 0.0, 1.0],
        "leaky_relu": [-0.01, 0.0, 1.0],
        "sigmoid": [0.268941, 0.5, 0.731059],
        "tanh": [-0.761594, 0.0, 0.761594],
        "gelu": [-0.158655, 0.0, 0.841345],
        "silu": [-0.268941, 0.0, 0.731059],
    }
    for name, values in expected.items():
        assert_close(getattr(solution, name)(x), torch.tensor(values), atol=1e-5, name=name)


@sample
@points(1)
def test_slopes_at_zero(solution):
    """The slope of each at exactly 0 is that of the statement's table."""
    x = torch.zeros(1, dtype=F64)
    expected = {"relu": 0.0, "leaky_relu": 0.01, "sigmoid": 0.25, "tanh": 1.0, "gelu": 0.5, "silu": 0.5}
    for name, value in expected.items():
        assert_close(slopes(getattr(solution, name), x), torch.tensor([value], dtype=F64), name=f"slope of {name}")


@sample
@points(1)
def test_ten_thousand(solution):
    """At ±10,000 values are finite."""
    x = torch.tensor([-1e4, 1e4])
    expected = {
        "relu": [0, 1e4],
        "leaky_relu": [-100, 1e4],
        "sigmoid": [0, 1],
        "tanh": [-1, 1],
        "gelu": [0, 1e4],
        "silu": [0, 1e4],
    }
    for name, values in expected.items():
        assert_close(getattr(solution, name)(x), torch.tensor(values, dtype=F32), name=name)


@points(2)
@EACH
@EACH_DTYPE
def test_values_and_gradients(solution, rng, name, dtype):
    """A value or a gradient differs between -10 and 10."""
    x = torch.cat([20 * rng.rand(3, 40, dtype=dtype) - 10, rng.randn(3, 20, dtype=dtype)], 1)
    f = getattr(solution, name)
    near(f(x), TORCH[name](x), "values")
    near(slopes(f, x), slopes(TORCH[name], x), "gradients")


@points(2)
@EACH
def test_chain_rule(solution, rng, name):
    """The gradient that arrives must be multiplied by the slope."""
    assert_same_gradients(getattr(solution, name), TORCH[name], (rng.randn(4, 5, dtype=F64),), names=("x",))


@points(2)
@EACH
@EACH_DTYPE
def test_large_inputs(solution, rng, name, dtype):
    """For large inputs a value or a gradient is not finite, or not right: follow both branches through the backward pass."""
    sizes = 10 ** (4 * rng.rand(60, dtype=dtype))
    x = torch.cat([sizes, -sizes, torch.tensor([1e4, -1e4, 88.8, -88.8, 104.0, -104.0, 710.0, -710.0], dtype=dtype)])
    f = getattr(solution, name)
    near(f(x), TORCH[name](x), "values")
    found = slopes(f, x)
    check(bool(found.isfinite().all()), "a gradient is not finite")
    near(found, slopes(TORCH[name], x), "gradients")


@points(2)
@EACH
@EACH_DTYPE
def test_exactly_zero(solution, rng, name, dtype):
    """The gradient at exactly 0, also at a zero with a minus sign, differs from the slope in the table."""
    x = rng.randn(4, 5, dtype=dtype)
    x[1:3] = 0.0
    x[2, 1:3] = -0.0
    cotangent = rng.randn(4, 5, dtype=dtype)
    found = []
    for f in (getattr(solution, name), TORCH[name]):
        leaf = x.clone().requires_grad_()
        found.append(torch.autograd.grad(f(leaf), leaf, cotangent)[0])
    near(*found, "gradient")


@points(1)
@EACH
@pytest.mark.parametrize("shape", [(), (0,), (2, 3, 2)], ids=["number", "empty", "three"])
def test_shapes(solution, rng, name, shape):
    """The result has the shape of x, whatever it is."""
    x = rng.randn(*shape, dtype=F64)
    assert_close(getattr(solution, name)(x), TORCH[name](x))


@points(1)
@EACH
def test_layouts(solution, rng, name):
    """A transposed input is an input like any other, and is not written to."""
    x = 3 * rng.randn(5, 4, dtype=F64).t()
    assert_close(assert_not_mutated(getattr(solution, name), x), TORCH[name](x))


@points(2)
@pytest.mark.parametrize("slope", [0.0, 0.2, 1.0])
def test_slope(solution, rng, slope):
    """leaky_relu: another slope, for values and gradients, and at 0."""
    x = rng.randn(30, dtype=F64)
    x[:3] = 0.0
    assert_close(solution.leaky_relu(x, slope=slope), F.leaky_relu(x, slope), name="values")
    assert_close(
        slopes(solution.leaky_relu, x, slope=slope), slopes(F.leaky_relu, x, negative_slope=slope), name="gradients"
    )


@points(2)
@EACH_DTYPE
def test_gelu_by_tanh(solution, rng, dtype):
    """gelu with approximate="tanh": a value or a gradient differs, or is not finite for large inputs."""
    sizes = 10 ** (4 * rng.rand(20, dtype=dtype))
    x = torch.cat([6 * rng.rand(200, dtype=dtype) - 3, sizes, -sizes, torch.tensor([0.0, 1e4, -1e4], dtype=dtype)])
    near(solution.gelu(x, approximate="tanh"), F.gelu(x, approximate="tanh"), "values")
    found = slopes(solution.gelu, x, approximate="tanh")
    check(bool(found.isfinite().all()), "a gradient is not finite")
    near(found, slopes(F.gelu, x, approximate="tanh"), "gradients")


@points(1)
def test_exact_and_approximate_differ(solution, rng):
    """gelu: the exact form, which is the default, uses erf; the other one differs from it in the fourth digit."""
    x = 2 * rng.rand(50, dtype=F64) + 1.5
    exact, other = solution.gelu(x, approximate="none"), solution.gelu(x, approximate="tanh")
    assert_close(solution.gelu(x), exact, name="the default")
    check(float((exact - other).abs().max()) > 1e-4, "both forms give the same")


@points(1)
@pytest.mark.parametrize("word", ["", "erf", "exact"], ids=["empty", "erf", "exact"])
def test_other_words(solution, rng, word):
    """gelu: any other word for approximate raises ValueError."""
    with pytest.raises(ValueError):
        solution.gelu(rng.randn(3), approximate=word)
