"""Hidden tests: products with a Jacobian from both sides, in reverse mode."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
KINDS = pytest.mark.parametrize("kind", ["plain", "leaf", "computed"])


def jacobian_of_normalised(x):
    """(I - n n^T) / |x| with n = x / |x|."""
    n = x / x.norm()
    return (torch.eye(len(x), dtype=x.dtype) - n[:, None] * n) / x.norm()


@sample
@points(1)
def test_weights_by_hand(solution, given):
    """Three outputs of two numbers, weighted: the rows of the Jacobian are (2, 1), (2, 0) and (0, 3)."""
    x = torch.tensor([1.0, 2.0])
    assert_close(
        solution.gradient_of(given.Map("three"), x, torch.tensor([1.0, 10.0, 100.0])), torch.tensor([22.0, 301.0])
    )


@sample
@points(1)
def test_direction_by_hand(solution, given):
    """The derivative in the direction of the first coordinate is the first column."""
    x = torch.tensor([1.0, 2.0])
    assert_close(
        solution.directional_of(given.Map("three"), x, torch.tensor([1.0, 0.0])), torch.tensor([2.0, 2.0, 0.0])
    )


@sample
@points(1)
def test_vector_without_weights(solution, given):
    """Several outputs and no weights: ValueError."""
    with pytest.raises(ValueError):
        solution.gradient_of(given.Map("three"), torch.tensor([1.0, 2.0]))


@points(1)
@EACH_DTYPE
def test_polynomial(solution, given, rng, dtype):
    """gradient_of: the gradient of a sum of cubes is three times the squares; no weights are needed for one element."""
    x = rng.randn(2, 3, dtype=dtype)
    assert_close(solution.gradient_of(given.Map("sum-of-cubes"), x), 3 * x**2)


@points(1)
def test_one_element_in_several_dimensions(solution, given, rng):
    """gradient_of: a result of shape (1, 1) has one element and needs no weights; given ones scale the gradient."""
    x = rng.randn(3, dtype=F64)
    assert_close(solution.gradient_of(given.Map("one-by-one"), x), 2 * x)
    weight = rng.randn(dtype=F64)
    assert_close(solution.gradient_of(given.Map("sum-of-squares"), x, weight), 2 * weight * x)


@points(1)
def test_no_elements(solution, given, rng):
    """gradient_of: a result without elements has not one element, so it needs weights."""
    with pytest.raises(ValueError):
        solution.gradient_of(given.Map("double"), rng.randn(0, 3))


@points(2)
def test_norm_and_log_sum_exp(solution, given, rng):
    """gradient_of: the gradient of a norm is x / |x|, the gradient of log-sum-exp is the softmax."""
    x = rng.randn(5, dtype=F64)
    assert_close(solution.gradient_of(given.Map("norm"), x), x / x.norm())
    assert_close(solution.gradient_of(given.Map("log-sum-exp"), x), torch.softmax(x, 0))


@points(2)
def test_products_agree_with_the_jacobian(solution, given, rng):
    """One of the products differs from that with the Jacobian of x / |x|."""
    x, v, u = rng.randn(5, dtype=F64), rng.randn(5, dtype=F64), rng.randn(5, dtype=F64)
    jacobian = jacobian_of_normalised(x)
    assert_close(solution.gradient_of(given.Map("normalised"), x, v), jacobian.T @ v, name="gradient_of")
    assert_close(solution.directional_of(given.Map("normalised"), x, u), jacobian @ u, name="directional_of")


@points(2)
@EACH_DTYPE
def test_from_left_and_right(solution, given, rng, dtype):
    """v · (J u) and (J^T v) · u must be the same number, for a function that is not square."""
    weight = rng.randn(3, 2, dtype=dtype)
    x, u, v = rng.randn(4, 3, dtype=dtype), rng.randn(4, 3, dtype=dtype), rng.randn(4, 2, dtype=dtype)

    f = given.Map("tanh-product", weight)
    forth, back = solution.directional_of(f, x, u), solution.gradient_of(f, x, v)
    assert_close(forth, (u * (1 - torch.tanh(x) ** 2)) @ weight, scale=8.0, name="directional_of")
    assert_close(back, (v @ weight.T) * (1 - torch.tanh(x) ** 2), scale=8.0, name="gradient_of")
    assert_close((v * forth).sum(), (back * u).sum(), scale=32.0, name="v · J u against J^T v · u")


@points(2)
def test_direction_of_a_linear_map(solution, given, rng):
    """directional_of: a linear function is its own derivative, and no part of x is left in it."""
    weight, x, u = rng.randn(2, 5, dtype=F64), rng.randn(5, dtype=F64), rng.randn(5, dtype=F64)
    assert_close(solution.directional_of(given.Map("product", weight), x, u), weight @ u)


@points(2)
def test_direction_is_exact(solution, given, rng):
    """directional_of: for a function with large values a difference quotient is not exact enough."""
    x, u = 10 + rng.rand(3, dtype=F64), rng.randn(3, dtype=F64)
    exact = 7 * x**6 * u
    assert_close(solution.directional_of(given.Map("power"), x, u), exact, rtol=1e-12, name="directional_of")


@points(1)
def test_direction_of_a_scalar(solution, given, rng):
    """directional_of: the result has the shape of f(x), here (), and x may be 0-d as well."""
    x, u = rng.randn(2, 3, dtype=F64), rng.randn(2, 3, dtype=F64)
    assert_close(solution.directional_of(given.Map("sum-of-squares"), x, u), (2 * x * u).sum())
    t = rng.randn(dtype=F64)
    found = solution.directional_of(given.Map("circle"), t, torch.tensor(2.0, dtype=F64))
    assert_close(found, torch.stack([2 * t.cos(), -2 * t.sin()]))


@points(2)
@pytest.mark.parametrize("shape", [(1, 3), (), (3, 1), (2,)], ids=["row", "none", "column", "short"])
def test_weights_of_another_shape(solution, given, rng, shape):
    """gradient_of: weights of another shape than f(x) are refused, also if they could be broadcast."""
    with pytest.raises(ValueError):
        solution.gradient_of(given.Map("double"), rng.randn(3), rng.randn(*shape))


@points(1)
@pytest.mark.parametrize("shape", [(1, 3), (), (2,)], ids=["row", "none", "short"])
def test_directions_of_another_shape(solution, given, rng, shape):
    """directional_of: a direction of another shape than x is refused, also if it could be broadcast."""
    with pytest.raises(ValueError):
        solution.directional_of(given.Map("exp"), rng.randn(3), rng.randn(*shape))


@points(2)
@KINDS
@pytest.mark.parametrize("which", ["gradient_of", "directional_of"])
def test_no_trace(probes, rng, which, kind):
    """Each argument keeps its flag and its .grad, a tensor that f uses gets no .grad, the result is data; f is called once."""
    x, weight = rng.randn(2, 3, dtype=F64), rng.randn(3, 5, dtype=F64)
    other = rng.randn(2, 5, dtype=F64) if which == "gradient_of" else rng.randn(2, 3, dtype=F64)
    found = probes.watched(which, x, other, weight, kind)
    slope = 3 * torch.cos(3 * x)
    expected = (other @ weight.T) * slope if which == "gradient_of" else (slope * other) @ weight
    assert_close(found["result"], expected, name=which)
    assert_close(found["x"], x, name="x afterwards")
    check(found["data"], "the result requires a gradient")
    check(found["same"], "x is marked or changed in another way")
    check(found["kept"], "the .grad of x has changed")
    check(found["same_other"] and found["kept_other"], "the weights or the direction are marked or changed")
    check(found["empty"], "a tensor that f uses has got a .grad")
    check(found["calls"] == 1, "f should be called once")


@points(2)
def test_no_rows(probes, rng):
    """directional_of: backward goes through f more often than twice; do not compute the Jacobian row by row."""
    x, weight, u = rng.randn(2, 3, dtype=F64), rng.randn(3, 7, dtype=F64), rng.randn(2, 3, dtype=F64)
    found = probes.watched("directional_of", x, u, weight)
    assert_close(found["result"], (3 * torch.cos(3 * x) * u) @ weight, name="directional_of")
    check(found["passes"] <= 2, "backward goes through f more than twice")


@points(1)
def test_many_outputs(probes, rng):
    """directional_of never builds the Jacobian, neither row by row nor at once: here it has 14,000 rows."""
    x, weight, u = rng.randn(2, 3, dtype=F64), rng.randn(3, 7000, dtype=F64), rng.randn(2, 3, dtype=F64)
    found = probes.watched("directional_of", x, u, weight)
    assert_close(found["result"], (3 * torch.cos(3 * x) * u) @ weight, name="directional_of")


@points(1)
def test_arguments_stay(solution, given, rng):
    """x may be transposed; neither it nor the weights nor the direction are written to."""
    x, v = rng.randn(3, 2, dtype=F64).t(), rng.randn(2, 3, dtype=F64)
    found = assert_not_mutated(lambda x, v: solution.gradient_of(given.Map("exp"), x, v), x, v)
    assert_close(found, v * x.exp(), name="gradient_of")
    found = assert_not_mutated(lambda x, v: solution.directional_of(given.Map("exp"), x, v), x, v)
    assert_close(found, v * x.exp(), name="directional_of")
