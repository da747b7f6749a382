"""Hidden tests: values on the grid, the straight-through gradient, and a range that is observed in train mode."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
BITS = pytest.mark.parametrize("bits", [2, 3, 4, 8])


def limits(bits):
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def made(solution, largest, dtype=torch.float64, **options):
    model = solution.FakeQuantize(**options).to(dtype)
    model.load_state_dict({"largest": torch.tensor(largest, dtype=dtype)})
    return model


def grid(x, largest, bits):
    """Formula of the statement, with the gradient of a sum over the elements inside."""
    low, high = limits(bits)
    s = largest / high
    level = (x.detach() / s).round()
    inside = ((level >= low) & (level <= high)).to(x.dtype)
    return x * inside + (level.clamp(low, high) * s - x.detach() * inside)


def inputs(rng, shape, largest, bits, dtype, beyond=3):
    """Numbers that are away from ties, some of them outside of the range."""
    low, high = limits(bits)
    levels = rng.randint(low - beyond, high + beyond + 1, shape).to(dtype)
    return (levels + 0.8 * rng.rand(*shape, dtype=dtype) - 0.4) * (largest / high)


def range_of(model):
    return model.state_dict()["largest"]


@sample
@points(1)
def test_a_grid_of_three_bits(solution):
    """Steps of 0.25 from -1 to 0.75, and what lies outside ends at the edge."""
    model = made(solution, 0.75, torch.float32, bits=3).eval()
    x = torch.tensor([-1.30, -0.40, 0.10, 0.37, 2.00])
    assert_close(model(x), torch.tensor([-1.0, -0.5, 0.0, 0.25, 0.75]))


@sample
@points(1)
def test_gradient_of_three_bits(solution):
    """The gradient is 1 inside and 0 for the two numbers outside."""
    model = made(solution, 0.75, torch.float32, bits=3).eval()
    x = torch.tensor([-1.30, -0.40, 0.10, 0.37, 2.00], requires_grad=True)
    model(x).sum().backward()
    assert_close(x.grad, torch.tensor([0.0, 1.0, 1.0, 1.0, 0.0]), name="gradient")


@sample
@points(1)
def test_observed_range(solution):
    """The first batch sets the range to 2; the next one, with momentum 0.25 and a maximum of 4, moves it to 2.5."""
    model = solution.FakeQuantize(momentum=0.25)
    model(torch.tensor([-1.0, 2.0]))
    assert_close(range_of(model), torch.tensor(2.0), name="largest")
    model(torch.tensor([-4.0, 3.0]))
    assert_close(range_of(model), torch.tensor(2.5), name="largest")


@points(2)
@DTYPES
@BITS
def test_values_and_gradients(solution, rng, bits, dtype):
    """Values or gradients are off in eval mode, inside or outside of the range."""
    largest = rng.uniform(0.5, 4.0)
    model = made(solution, largest, dtype, bits=bits).eval()
    x = inputs(rng, (7, 11), largest, bits, dtype)
    assert_same_gradients(model, lambda x: grid(x, largest, bits), (x,), names=("x",))


@points(1)
@pytest.mark.parametrize("largest", [1e-9, 1e9])
def test_small_and_large_ranges(solution, rng, largest):
    """A very small or very large range has the same levels as any other: the step has no bounds of its own."""
    model = made(solution, largest, bits=4).eval()
    x = inputs(rng, (5, 6), largest, 4, torch.float64)
    assert_close(model(x) / largest, grid(x, largest, 4) / largest)


@points(1)
def test_shapes_and_layouts(solution, rng):
    """Any shape and memory layout will do, a single number and an empty tensor too."""
    model = made(solution, 1.5, bits=4).eval()
    for shape in ((), (1,), (0, 3), (2, 3, 5)):
        x = inputs(rng, shape, 1.5, 4, torch.float64)
        assert_close(model(x), grid(x, 1.5, 4))
    x = inputs(rng, (6, 8), 1.5, 4, torch.float64).T[::2]
    assert_close(assert_not_mutated(model, x), grid(x, 1.5, 4))


@points(2)
@DTYPES
def test_first_batch(solution, rng, dtype):
    """The first batch in train mode is rounded with its own range, and its gradient passes straight through."""
    largest = rng.uniform(0.5, 4.0)
    levels = rng.randint(-7, 7, (5, 6)).to(dtype) + 0.6 * rng.rand(5, 6, dtype=dtype) - 0.3
    x = (levels * (largest / 7)).clamp(-0.99 * largest, 0.99 * largest)
    x[2, 3] = -largest
    model = solution.FakeQuantize(bits=4).to(dtype)
    assert_same_gradients(model, lambda x: grid(x, largest, 4), (x,), names=("x",))
    assert_close(range_of(model), torch.tensor(largest, dtype=dtype), name="largest")


@points(2)
@pytest.mark.parametrize("momentum", [0.1, 0.5, 1.0])
def test_moving_range(solution, rng, momentum):
    """The range follows the maxima of the batches with the given momentum, upwards, downwards, and towards 0 for zeros."""
    model = solution.FakeQuantize(momentum=momentum).to(torch.float64)
    expected = 0.0
    for i in range(6):
        x = rng.randn(4, 5, dtype=torch.float64) * (0.0 if i == 3 else rng.uniform(0.1, 10.0))
        model(x)
        seen = x.abs().max().item()
        expected = seen if expected == 0 else expected + momentum * (seen - expected)
        assert_close(range_of(model), torch.tensor(expected, dtype=torch.float64), name="largest")


@points(2)
def test_later_batch_uses_the_new_range(solution, rng):
    """A later batch is rounded with the range that it has just moved, and the range gets no gradient."""
    old, top = rng.uniform(1.0, 2.0), 1.3
    new = old + 0.1 * (top * old - old)
    x = inputs(rng, (4, 6), new, 4, torch.float64, beyond=-1)
    x[1, 2] = top * old
    model = made(solution, old, bits=4)
    assert_same_gradients(model, lambda x: grid(x, new, 4), (x,), names=("x",))


@points(1)
def test_defaults(solution, rng):
    """By default there are 8 bits, and the range moves by a tenth."""
    model = made(solution, 2.0)
    model(torch.tensor([-4.0], dtype=torch.float64))
    assert_close(range_of(model), torch.tensor(2.2, dtype=torch.float64), name="largest")
    x = inputs(rng, (50,), 2.2, 8, torch.float64)
    assert_close(model.eval()(x), grid(x, 2.2, 8))


@points(2)
def test_eval_does_not_observe(solution, rng):
    """In eval mode the range stays, whatever comes; back in train mode it moves again."""
    model = made(solution, 1.0).eval()
    for _ in range(3):
        model(rng.randn(4, dtype=torch.float64) * 100)
    assert_close(range_of(model), torch.tensor(1.0, dtype=torch.float64), name="largest")
    model.train()
    model(torch.tensor([3.0], dtype=torch.float64))
    assert_close(range_of(model), torch.tensor(1.2, dtype=torch.float64), name="largest")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_nothing_observed(solution, rng, training):
    """While the range is 0, numbers and gradients pass unchanged: in eval mode, and for a batch of zeros."""
    model = solution.FakeQuantize(bits=2).to(torch.float64).train(training)
    x = torch.zeros(3, 4, dtype=torch.float64) if training else rng.randn(3, 4, dtype=torch.float64)
    assert_same_gradients(model, lambda x: x * 1, (x,), names=("x",))
    assert_close(range_of(model), torch.tensor(0.0, dtype=torch.float64), name="largest")


@points(2)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_switched_off(solution, rng, training):
    """Switched off, the module passes everything with gradient 1, and observes in train mode; then on again."""
    model = made(solution, 1.0, bits=3).train(training)
    model.enable(False)
    x = rng.randn(5, 6, dtype=torch.float64) * 3
    assert_same_gradients(model, lambda x: x * 1, (x,), names=("x",))
    after = 1.0 + 0.1 * (x.abs().max().item() - 1.0) if training else 1.0
    assert_close(range_of(model), torch.tensor(after, dtype=torch.float64), name="largest")
    model.enable(True)
    x = inputs(rng, (5, 6), after, 3, torch.float64)
    assert_close(model.eval()(x), grid(x, after, 3))


@points(1)
def test_empty_batch(solution):
    """An empty batch in train mode is not observed."""
    model = made(solution, 1.0)
    check(model(torch.zeros(0, 3, dtype=torch.float64)).shape == (0, 3), "the shape of an empty batch is lost")
    assert_close(range_of(model), torch.tensor(1.0, dtype=torch.float64), name="largest")


@points(1)
def test_state(solution, rng):
    """The state is one 0-d buffer named largest; nothing is a parameter; a loaded state is used."""
    model = solution.FakeQuantize(bits=4)
    check(set(model.state_dict()) == {"largest"}, "the names in state_dict() are not the one of the statement")
    assert_close(range_of(model), torch.tensor(0.0), name="largest")
    check(list(model.parameters()) == [], "there should be no parameters")
    trained = solution.FakeQuantize(bits=4).to(torch.float64)
    trained(rng.randn(9, dtype=torch.float64))
    largest = range_of(trained)
    other = solution.FakeQuantize(bits=4).to(torch.float64)
    other.load_state_dict(trained.state_dict())
    x = inputs(rng, (30,), largest.item(), 4, torch.float64)
    assert_close(other.eval()(x), grid(x, largest.item(), 4))
