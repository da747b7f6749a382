"""Hidden tests: gradient descent by hand."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F64 = torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, F64], ids=["float32", "float64"])


class Bowl:
    """x -> 1/2 (x - c)' A (x - c) for a positive definite A, with its gradient known."""

    def __init__(self, rng, n=3, dtype=F64):
        root = rng.randn(n, n, dtype=dtype)
        self.a = root @ root.T / n + torch.eye(n, dtype=dtype)
        self.c = rng.randn(n, dtype=dtype)
        self.lr = float(1 / torch.linalg.matrix_norm(self.a))

    def value(self, x):
        return 0.5 * (x - self.c) @ self.a @ (x - self.c)

    def descend(self, x, lr, steps):
        for _ in range(steps):
            x = x - lr * (self.a @ (x - self.c))
        return x


@sample
def test_one_step_by_hand(solution):
    """At (1, -2) the gradient of the sum of squares is (2, -4); a quarter of it is taken off."""
    actual = solution.minimise(lambda x: (x * x).sum(), torch.tensor([1.0, -2.0]), 0.25, 1)
    assert_close(actual, torch.tensor([0.5, -1.0]))


@sample
def test_the_lowest_point(solution):
    """The parabola with its lowest point at 3: each step leaves a fifth of the distance."""
    actual = solution.minimise(lambda x: (x - 3) ** 2, torch.tensor(4.0), 0.4, 6)
    assert_close(actual, torch.tensor(3.0), atol=1e-3)


@sample
def test_the_start_stays(solution):
    """The tensor that is handed over keeps its values."""
    start = torch.tensor([4.0, 5.0])
    assert_not_mutated(solution.minimise, lambda x: (x * x).sum(), start, 0.1, 2)


@points(2)
@pytest.mark.parametrize("steps", [1, 2, 6])
def test_every_step(solution, rng, steps):
    """The point after a few steps is wrong: each step uses the gradient at the current point, and that one alone."""
    bowl, start = Bowl(rng), rng.randn(3, dtype=F64)
    assert_close(solution.minimise(bowl.value, start, bowl.lr, steps), bowl.descend(start, bowl.lr, steps))


@points(2)
def test_a_function_that_is_no_parabola(solution, rng):
    """A convex function with a flat far side: within 1e-3 of its lowest point."""
    centre = rng.randn(2, 2, dtype=F64)
    start = centre + 2 * rng.rand(2, 2, dtype=F64) - 1
    actual = solution.minimise(lambda x: torch.log(torch.cosh(x - centre)).sum(), start, 1.0, 5)
    assert_close(actual, centre, atol=1e-3)


@points(2)
def test_a_coupled_parabola(solution, rng):
    """A parabola that couples its coordinates: within 1e-3 of its lowest point."""
    bowl = Bowl(rng, 2)
    bowl.a = torch.tensor([[2.0, 0.5], [0.5, 2.0]], dtype=F64)
    actual = solution.minimise(bowl.value, bowl.c + rng.randn(2, dtype=F64), 0.5, 8)
    assert_close(actual, bowl.c, atol=1e-3)


@points(1)
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0,)], ids=["none", "one", "matrix", "empty"])
def test_shapes(solution, rng, shape):
    """The point may have any shape, none and empty ones included, and keeps it."""
    start, centre = rng.randn(*shape), rng.randn(*shape)
    actual = solution.minimise(lambda x: ((x - centre) ** 2).sum(), start, 0.25, 3)
    assert_close(actual, centre + (start - centre) / 8)


@points(2)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """A float64 start is treated in float64 from beginning to end, a float32 start in float32."""
    bowl, start = Bowl(rng, dtype=dtype), rng.randn(3, dtype=dtype)
    assert_close(solution.minimise(bowl.value, start, bowl.lr, 4), bowl.descend(start, bowl.lr, 4))


@points(1)
def test_float32_inside(solution):
    """In float32, a step of less than half a unit in the last place is lost, every time: arithmetic in float64 keeps it."""
    start = torch.ones(3)
    actual = solution.minimise(lambda x: x.sum(), start, 2.0**-26, 64)
    assert_close(actual, start, rtol=0.0, atol=0.0)


@points(1)
def test_strided_start(solution, rng):
    """A transposed start is a usual start."""
    start, centre = rng.randn(3, 2).t(), rng.randn(2, 3)
    actual = assert_not_mutated(solution.minimise, lambda x: ((x - centre) ** 2).sum(), start, 0.25, 2)
    assert_close(actual, centre + (start - centre) / 4)


@points(2)
def test_tiny_gradients(solution, rng):
    """All steps are made, however small the gradient is: lr may be large."""
    start = rng.randn(3, dtype=F64)
    actual = solution.minimise(lambda x: 1e-12 * (x * x).sum(), start, 0.25e12, 4)
    assert_close(actual, start / 16)


@points(1)
def test_large_gradients(solution, rng):
    """Gradients are taken as they are, neither clipped nor normalised."""
    start = rng.randn(3, dtype=F64)
    actual = solution.minimise(lambda x: 1e6 * (x * x).sum(), start, 0.25e-6, 3)
    assert_close(actual, start / 8)


@attested
@points(2)
@pytest.mark.parametrize("steps", [0, 2])
def test_memory_of_its_own(solution, rng, steps):
    """The result is a tensor of its own, also if no step was made: writing to it must not change x0."""
    start = rng.randn(3)
    actual = solution.minimise(lambda x: (x * x).sum(), start, 0.25, steps)
    assert_close(actual, start / 2**steps)
    check(actual.untyped_storage().data_ptr() != start.untyped_storage().data_ptr(), "the result shares memory with x0")


@points(2)
@pytest.mark.parametrize("kind", ["leaf", "computed"])
def test_a_start_with_a_gradient(solution, rng, kind):
    """x0 may require a gradient or have a history: it keeps its .grad, and the result has no history."""
    leaf = rng.randn(3).requires_grad_()
    leaf.grad = torch.ones(3)
    start = leaf if kind == "leaf" else 2 * leaf
    for steps in (0, 2):
        actual = solution.minimise(lambda x: (x * x).sum(), start, 0.25, steps)
        check(not actual.requires_grad, "the result requires a gradient, or has a history")
        assert_close(actual, start.detach() / 2**steps)
    assert_close(leaf.grad, torch.ones(3), name="the gradient that was there before")


@points(1)
@pytest.mark.parametrize("steps", [0, 2])
def test_a_result_without_history(solution, rng, steps):
    """The result is data: it neither requires a gradient nor hangs on a graph."""
    start = rng.randn(3)
    actual = solution.minimise(lambda x: (x * x).sum(), start, 0.25, steps)
    check(not actual.requires_grad, "the result requires a gradient, or has a history")
    check(not start.requires_grad, "x0 requires a gradient afterwards")


@points(2)
def test_inside_no_grad(solution, given, rng):
    """Called where recording is switched off, minimise has to switch it on for itself."""
    start, centre = rng.randn(3, dtype=F64), rng.randn(3, dtype=F64)
    parabola = given.Parabola(torch.full((3,), 0.5, dtype=F64), centre)
    with torch.no_grad():
        actual = solution.minimise(parabola, start, 0.5, 3)
    assert_close(actual, centre + (start - centre) / 8)


@points(1)
def test_one_call_after_another(solution, rng):
    """Nothing is left over from an earlier call, neither a gradient nor a momentum."""
    bowl, start = Bowl(rng), rng.randn(3, dtype=F64)
    first = solution.minimise(bowl.value, start, bowl.lr, 2)
    second = solution.minimise(bowl.value, first, bowl.lr, 2)
    assert_close(second, bowl.descend(start, bowl.lr, 4))
