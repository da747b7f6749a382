"""Hidden tests: the penalty on slopes, and Hessian times vector."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def expected_penalty(matrix, bias, real, fake, alpha):
    """By the closed form of the slope, with gradients for the matrix and the bias."""
    matrix, bias = matrix.clone().requires_grad_(), bias.clone().requires_grad_()
    a = alpha.reshape(-1, *[1] * (real.dim() - 1))
    rows = (a * real + (1 - a) * fake).flatten(1)
    slopes = rows @ (matrix + matrix.T) / 2 + bias
    value = (((slopes**2).sum(1).sqrt() - 1) ** 2).mean()
    return value.detach(), list(torch.autograd.grad(value, [matrix, bias]))


def setting(rng, shape, dtype=F64):
    batch, features = shape[0], torch.Size(shape[1:]).numel()
    return (
        rng.randn(features, features, dtype=dtype),
        rng.randn(features, dtype=dtype),
        rng.randn(*shape, dtype=dtype),
        rng.randn(*shape, dtype=dtype),
        rng.rand(batch, dtype=dtype),
    )


def check_penalty(found, args):
    value, grads = expected_penalty(*args)
    check(found["recorded"], "the penalty has no history: it cannot train the critic")
    assert_close(found["value"], value, scale=16.0, name="penalty")
    assert_close(found["grads"], grads, scale=64.0, name="gradients of the critic")


def hessian_times(kind, x, v, w):
    """By hand."""
    if kind == "cubic":
        return 6 * w * x * v + 2 * v.sum().expand_as(x)
    if kind == "coupled":
        return 6 * (x * w).sum() * (w * v).sum() * w
    if kind == "exp":
        return (w * x).sum().exp() * (w * v).sum() * w
    result = torch.zeros_like(x)
    if kind == "first-only":
        result.view(-1)[0] = 2 * w.flatten()[0] ** 2 * v.flatten()[0]
    return result


@sample
@points(1)
def test_linear_critic(probes):
    """Slope (3, 4) everywhere: the penalty is 16, and its gradient points along the slope."""
    found = probes.penalty(
        torch.zeros(2, 2), torch.tensor([3.0, 4.0]), torch.ones(5, 2), torch.zeros(5, 2), torch.full((5,), 0.5)
    )
    check(found["recorded"], "the penalty has no history: it cannot train the critic")
    assert_close(found["value"], torch.tensor(16.0), name="penalty")
    assert_close(found["grads"][1], torch.tensor([4.8, 6.4]), name="gradient of the weights")


@sample
@points(1)
def test_product_by_hand(probes):
    """The Hessian of (x0 + x1)³ at (1, 3) is 24 everywhere; times (2, 1) that is 72."""
    x, v, w = torch.tensor([1.0, 3.0]), torch.tensor([2.0, 1.0]), torch.tensor([1.0, 1.0])
    assert_close(probes.curvature("coupled", x, v, w)["result"], torch.tensor([72.0, 72.0]))


@sample
@points(1)
def test_linear_function(probes):
    """A linear function has the Hessian 0."""
    x, v = torch.tensor([1.0, 3.0]), torch.tensor([2.0, 1.0])
    assert_close(probes.curvature("linear-without-weight", x, v, x)["result"], torch.zeros(2))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(5, 3), (3, 2, 3), (2, 3, 1, 2)], ids=["rows", "matrices", "images"])
def test_penalty_and_gradients(probes, rng, shape, dtype):
    """The penalty, or its gradient for the critic, differs from the closed form."""
    args = setting(rng, shape, dtype)
    check_penalty(probes.penalty(*args), args)


@points(1)
def test_short_slopes(probes, rng):
    """Slopes shorter than 1 are penalized as well as longer ones."""
    matrix, bias, real, fake, alpha = setting(rng, (4, 3))
    args = (0.01 * matrix, 0.2 * bias / bias.norm(), real, fake, alpha)
    check_penalty(probes.penalty(*args), args)


@points(1)
def test_flat_scores(probes, rng):
    """A critic may return (B,) as well as (B, 1)."""
    args = setting(rng, (4, 3))
    check_penalty(probes.penalty(*args, flat=True), args)


@points(1)
def test_batch_of_one(probes, rng):
    """A batch of one sample is a batch: no dimension may disappear."""
    args = setting(rng, (1, 3))
    check_penalty(probes.penalty(*args), args)


@points(2)
def test_each_sample_its_own_mix(probes, rng):
    """alpha has one number per sample, whatever the shape of a sample; at 1 the mix is the real sample."""
    matrix, bias, real, fake, _ = setting(rng, (3, 3, 3))
    for alpha in (torch.tensor([1.0, 0.0, 0.25]), torch.tensor([0.5, 1.0, 0.0])):
        args = (matrix, bias, real, fake, alpha.double())
        check_penalty(probes.penalty(*args), args)


@points(2)
def test_penalty_leaves_no_trace(probes, rng):
    """No .grad may change before backward(), no gradient goes into the samples, and the critic is called once."""
    found = probes.penalty(*setting(rng, (4, 3)))
    check(found["kept"], "a .grad has changed although backward() was not called")
    check(found["cut"], "backward() sends a gradient into real, fake or alpha")
    check(found["calls"] == 1, "the critic should be called once")
    check(found["flags"], "requires_grad of an argument or parameter has changed")
    check(found["values"], "the values of an argument or parameter have changed")


@points(1)
def test_constants_stay_constants(probes, rng):
    """Samples without a gradient and a frozen parameter are not marked; the rest of the critic is trained as before."""
    args = setting(rng, (4, 3))
    found = probes.penalty(*args, constant=True)
    value, (grad, _) = expected_penalty(*args)
    assert_close(found["value"], value, scale=16.0, name="penalty")
    assert_close(found["grads"][0], grad, scale=64.0, name="gradient of the critic")
    check(found["flags"], "requires_grad of an argument or parameter has changed")
    check(found["values"], "the values of an argument or parameter have changed")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("kind", ["cubic", "coupled", "exp"])
def test_hessian_times_vector(probes, rng, kind, dtype):
    """The product differs from the Hessian times v; a Hessian has entries off its diagonal."""
    for shape in ((4,), (2, 3), ()):
        x, v, w = (0.5 * rng.randn(*shape, dtype=dtype) for _ in range(3))
        found = probes.curvature(kind, x, v, w)
        assert_close(found["result"], hessian_times(kind, x, v, w), scale=64.0, name="hvp")


@points(1)
def test_exact_for_large_values(probes, rng):
    """A difference quotient is not exact enough for a function with large values."""
    x, v, w = 100 + rng.rand(3, dtype=F64), rng.randn(3, dtype=F64), rng.randn(3, dtype=F64)
    found = probes.curvature("cubic", x, v, w)["result"]
    assert_close(found, hessian_times("cubic", x, v, w), rtol=1e-11, name="hvp")


@points(2)
@pytest.mark.parametrize("kind", ["linear", "linear-without-weight", "weight-only", "constant", "first-only"])
def test_without_curvature(probes, rng, kind):
    """Where f is linear in x, or does not use it, the product is 0; a part that is used still counts."""
    x, v, w = rng.randn(2, 3, dtype=F64), rng.randn(2, 3, dtype=F64), rng.randn(2, 3, dtype=F64)
    for how in ("plain", "leaf"):
        found = probes.curvature(kind, x, v, w, how)
        assert_close(found["result"], hessian_times(kind, x, v, w), scale=16.0, name="hvp")
        check(found["data"], "the result requires a gradient")


@points(2)
@pytest.mark.parametrize("how", ["plain", "leaf", "computed"])
def test_product_leaves_no_trace(probes, rng, how):
    """x and v, their flags and their .grad must stay, a weight that f uses gets no .grad, and the result is data."""
    x, v, w = rng.randn(2, 3, dtype=F64), rng.randn(2, 3, dtype=F64), rng.randn(2, 3, dtype=F64)
    found = probes.curvature("cubic", x, v, w, how)
    assert_close(found["result"], hessian_times("cubic", x, v, w), scale=64.0, name="hvp")
    check(found["data"], "the result requires a gradient")
    check(found["kept"], "the .grad of x or v has changed")
    check(found["empty"], "a tensor that f uses has got a .grad")
    check(found["same"], "x or v has changed")


@points(2)
def test_no_rows(probes, rng):
    """f is called once, and backward goes through it twice at most: do not build the Hessian."""
    x, v, w = rng.randn(9, dtype=F64), rng.randn(9, dtype=F64), rng.randn(9, dtype=F64)
    found = probes.curvature("coupled", x, v, w)
    assert_close(found["result"], hessian_times("coupled", x, v, w), scale=64.0, name="hvp")
    check(found["calls"] == 1, "f should be called once")
    check(found["passes"] <= 2, "backward goes through f more than twice")
