"""Hidden tests: six activations, against their formulas and slopes in float64."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
LAMBDA, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def log1p_exp(z):
    return z.clamp(min=0) + torch.log1p(torch.exp(-z.abs()))


def inside(x, low, high):
    return ((x > low) & (x < high)).double()


# Value and slope in float64, as functions of a float64 tensor and the options.
TRUE = {
    "softplus": (lambda x, b=1.0: log1p_exp(b * x) / b, lambda x, b=1.0: torch.sigmoid(b * x)),
    "elu": (
        lambda x, a=1.0: torch.where(x > 0, x, a * torch.expm1(x.clamp(max=0))),
        lambda x, a=1.0: torch.where(x > 0, 1.0, a * torch.exp(x.clamp(max=0))),
    ),
    "selu": (
        lambda x: LAMBDA * torch.where(x > 0, x, ALPHA * torch.expm1(x.clamp(max=0))),
        lambda x: LAMBDA * torch.where(x > 0, 1.0, ALPHA * torch.exp(x.clamp(max=0))),
    ),
    "hard_sigmoid": (lambda x: (x / 6 + 0.5).clamp(0, 1), lambda x: inside(x, -3, 3) / 6),
    "hard_swish": (
        lambda x: x * (x / 6 + 0.5).clamp(0, 1),
        lambda x: inside(x, -3, 3) * (2 * x + 3) / 6 + (x >= 3).double(),
    ),
    "clip": (lambda x, low, high: x.clamp(low, high), lambda x, low, high: inside(x, low, high)),
}
OPTIONS = {"clip": (-1.25, 2.5)}
EACH = pytest.mark.parametrize("name", TRUE)


def compare(solution, name, x, *options, **tolerances):
    """Value and slope of one function at x, for weights of both signs."""
    value, slope = TRUE[name]
    leaf = x.detach().clone().requires_grad_()
    y = getattr(solution, name)(leaf, *options)
    assert_close(y.detach(), value(x.double(), *options).to(x.dtype), name=name, **tolerances)
    weight = torch.linspace(-1, 2, x.numel(), dtype=x.dtype).reshape(x.shape)
    check(y.requires_grad, "the result is detached from x")
    (found,) = torch.autograd.grad(y, leaf, weight)
    assert_close(found, (slope(x.double(), *options) * weight).to(x.dtype), name=f"gradient of {name}", **tolerances)


@sample
@points(1)
def test_by_hand(solution):
    """Values that can be computed in the head: ramps, and both sides of a bend."""
    x = torch.tensor([-4.0, -1.5, 0.0, 1.5, 4.0])
    assert_close(solution.hard_sigmoid(x), torch.tensor([0.0, 0.25, 0.5, 0.75, 1.0]))
    assert_close(solution.hard_swish(x), torch.tensor([0.0, -0.375, 0.0, 1.125, 4.0]))
    assert_close(solution.clip(x, -1.0, 2.0), torch.tensor([-1.0, -1.0, 0.0, 1.5, 2.0]))
    assert_close(solution.elu(x)[2:], torch.tensor([0.0, 1.5, 4.0]))


@sample
@points(1)
def test_softplus_at_zero(solution):
    """At 0 softplus is log 2 over beta, and its slope is one half."""
    x = torch.zeros(2, requires_grad=True)
    y = solution.softplus(x, 2.0)
    assert_close(y.detach(), torch.tensor([0.34657359, 0.34657359]))
    assert_close(torch.autograd.grad(y.sum(), x)[0], torch.tensor([0.5, 0.5]), name="gradient")


@sample
@points(1)
def test_slopes_where_pieces_meet(solution):
    """Where two pieces meet, the slope is that of the table."""
    for name, options, places, slopes in (
        ("elu", (0.5,), [0.0], [0.5]),
        ("selu", (), [0.0], [LAMBDA * ALPHA]),
        ("hard_sigmoid", (), [-3.0, 3.0], [0.0, 0.0]),
        ("hard_swish", (), [-3.0, 3.0], [0.0, 1.0]),
        ("clip", (-1.0, 2.0), [-1.0, 2.0], [0.0, 0.0]),
    ):
        x = torch.tensor(places, requires_grad=True)
        (found,) = torch.autograd.grad(getattr(solution, name)(x, *options).sum(), x)
        assert_close(found, torch.tensor(slopes), name=f"slope of {name}")


@points(3)
@EACH
@EACH_DTYPE
def test_values_and_gradients(solution, rng, dtype, name):
    """A value or a slope differs from the formula."""
    for size in (0.5, 2.0, 6.0):
        x = size * rng.randn(5, 7, dtype=dtype)
        # Right below 3, x + 3 rounds to 6 in a right answer, which is then past the joint. Joints have a test of their own.
        x = torch.where((x.abs() - 3).abs() < 1e-5, 1.0, x)
        compare(solution, name, x, *OPTIONS.get(name, ()))


@points(3)
@EACH
@EACH_DTYPE
def test_large_numbers(solution, rng, dtype, name):
    """Large inputs must give finite and right values and gradients: an exponential overflows in an unused piece."""
    drawn = 1e3 * rng.randn(8, dtype=dtype)
    # Among large numbers, a slope near 0 is compared closely, but a right answer may compute it as 1 + expm1(x) and round it.
    drawn = torch.where(drawn.abs() < 90, 90.0, drawn)
    x = torch.cat([torch.tensor([-1e4, -800.0, -100.0, -90.0, 90.0, 100.0, 800.0, 1e4], dtype=dtype), drawn])
    compare(solution, name, x, *OPTIONS.get(name, ()))


@points(2)
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0, 2.5])
@EACH_DTYPE
def test_alpha(solution, rng, dtype, alpha):
    """alpha is the depth of elu, and its slope at 0: it does not touch positive numbers."""
    compare(solution, "elu", 3 * rng.randn(11, dtype=dtype), alpha)
    compare(solution, "elu", torch.tensor([-1e4, -200.0, 200.0, 1e4], dtype=dtype), alpha)


@points(2)
@pytest.mark.parametrize("beta", [0.1, 0.7, 3.0, 10.0])
@EACH_DTYPE
def test_beta(solution, rng, dtype, beta):
    """beta sharpens softplus: it multiplies x, and divides the logarithm."""
    compare(solution, "softplus", 3 * rng.randn(11, dtype=dtype), beta)
    compare(solution, "softplus", torch.tensor([-1e4, -200.0, 200.0, 1e4], dtype=dtype), beta)


@points(2)
@pytest.mark.parametrize("ends", [(-1.0, 1.0), (0.0, 6.0), (-5.0, -2.0), (3.0, 1e4)], ids=str)
@EACH_DTYPE
def test_ends_of_clip(solution, rng, dtype, ends):
    """Both ends are numbers of any sign; beyond them the gradient is 0."""
    compare(solution, "clip", 4 * rng.randn(17, dtype=dtype), *ends)
    compare(solution, "clip", torch.tensor([*ends, -1e4, 1e4], dtype=dtype), *ends)


@points(2)
@EACH_DTYPE
def test_digits_near_zero(solution, rng, dtype):
    """For tiny x the exponential less one is x: as a difference of two numbers near 1 it loses its digits."""
    sizes = torch.tensor([1e-20, 1e-12, 1e-6, 1e-3], dtype=dtype)
    for sign in (-1, 1):
        for x in sign * sizes * (1 + rng.rand(4, dtype=dtype)):
            for name in ("elu", "selu"):
                compare(solution, name, x[None], atol=0.0)


@points(2)
@EACH_DTYPE
def test_tail_of_softplus(solution, dtype):
    """For large negative x softplus is exp(beta x) / beta: a logarithm of 1 + something tiny is 0."""
    for x in (-20.0, -40.0, -70.0):
        for beta in (1.0, 1.2):
            compare(solution, "softplus", torch.tensor([x], dtype=dtype), beta, atol=0.0)


@points(1)
@EACH
def test_pieces_fit(solution, name):
    """Near the joints there is no jump: values right before and right after them are nearly the same."""
    x = torch.tensor([-3.0, 0.0, 3.0, *OPTIONS["clip"]], dtype=F64)
    call = getattr(solution, name)
    before, after = call(x - 1e-9, *OPTIONS.get(name, ())), call(x + 1e-9, *OPTIONS.get(name, ()))
    check(bool(((after - before).abs() < 1e-8).all()), "the function jumps where two pieces meet")


@points(1)
def test_defaults(solution, rng):
    """Without options beta and alpha are 1."""
    x = rng.randn(9, dtype=F64)
    for name in ("softplus", "elu"):
        assert_close(getattr(solution, name)(x), TRUE[name][0](x), name=name)


@points(1)
@EACH
def test_shapes_and_layouts(solution, rng, name):
    """Scalars, empty tensors and views are ordinary inputs, and x is left as it is."""
    options = OPTIONS.get(name, ())
    wide = 3 * rng.randn(4, 6, dtype=F64)
    for x in (wide.T[::2], wide[:2, None, :3].expand(2, 4, 3), wide[:0].float(), wide[0, 0].float()):
        found = assert_not_mutated(getattr(solution, name), x, *options)
        assert_close(found, TRUE[name][0](x.double(), *options).to(x.dtype))
