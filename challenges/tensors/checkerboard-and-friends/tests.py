"""Hidden tests: four factories."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_not_mutated,
    attested,
    check,
    points,
    sample,
)

HALVES = [torch.float16, torch.bfloat16]
FLOATS = [torch.float32, torch.float64]
MOST_OPERATORS = 24


def name_of(dtype):
    return str(dtype).removeprefix("torch.")


@sample
def test_board_of_four(solution):
    """checkerboard(4) alternates along rows and columns and starts with 0."""
    expected = torch.tensor([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    assert_close(solution.checkerboard(4), expected)


@sample
def test_axis_of_five(solution):
    """time_axis(0, 2, 5) includes both ends."""
    assert_close(solution.time_axis(0, 2, 5), torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0]))


@sample
def test_count_in_a_matrix(solution):
    """count_like counts row by row, in the dtype of x."""
    x = torch.zeros(2, 3, dtype=torch.float64)
    assert_close(solution.count_like(x), torch.tensor([[0, 1, 2], [3, 4, 5]], dtype=torch.float64))


@sample
def test_noise_of_one_seed(solution):
    """noise_like has the shape and dtype of x, and equal seeds give equal noise."""
    x = torch.zeros(3, 2)
    first, second = solution.noise_like(x, 5), solution.noise_like(x, 5)
    assert_close(torch.zeros_like(first), x)
    assert_close(second, first, rtol=0.0, atol=0.0)


@points(1)
@pytest.mark.parametrize("size", ["none", "one", "odd", "even"])
def test_board_sizes(solution, rng, size):
    """The board must be right for every n, odd, even, 1 and 0: parity of row plus column, in int64."""
    n = {"none": 0, "one": 1, "odd": 2 * rng.integer(2, 12) + 1, "even": 2 * rng.integer(2, 12)}[size]
    expected = torch.tensor([[(i + j) % 2 for j in range(n)] for i in range(n)], dtype=torch.int64).reshape(n, n)
    assert_close(solution.checkerboard(n), expected)


@attested
@points(2)
def test_board_without_a_loop(solution, attest, rng):
    """The number of operators must not grow with the board: combine a column of row numbers with a row of column numbers."""
    n = rng.integer(30, 36)
    seen = attest(solution.checkerboard, n)
    calls = sum(count for name, count in seen.operators.items() if name.startswith("aten::"))
    check(
        calls <= MOST_OPERATORS,
        f"the board of 30 x 30 and more took over {MOST_OPERATORS} operators: is there a loop?",
    )


@points(2)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_axis_has_n_instants(solution, rng, direction):
    """The axis has exactly n instants between any two numbers: a rounded step must not add or lose one."""
    for n in range(2, 40):
        ends = sorted((rng.uniform(-3, 3), rng.uniform(-3, 3)), reverse=direction == "backward")
        expected = [ends[0] + (ends[1] - ends[0]) * i / (n - 1) for i in range(n)]
        assert_close(solution.time_axis(*ends, n), torch.tensor(expected, dtype=torch.float32))


@points(2)
@pytest.mark.parametrize("n", [1, 0], ids=["one", "none"])
def test_axis_of_hardly_any_instants(solution, rng, n):
    """One instant is t0, no instant is an empty tensor: look for a division by n - 1."""
    t0, t1 = rng.uniform(-3, 3), rng.uniform(4, 5)
    assert_close(solution.time_axis(t0, t1, n), torch.full((n,), t0, dtype=torch.float32))


@points(2)
def test_axis_in_double_precision(solution, rng):
    """A float64 axis must be computed in float64, not in float32 and converted."""
    t0, t1 = rng.uniform(0, 1), rng.uniform(2, 3)
    expected = [t0 + (t1 - t0) * i / 10 for i in range(11)]
    assert_close(solution.time_axis(t0, t1, 11, torch.float64), torch.tensor(expected, dtype=torch.float64))


@points(1)
def test_axis_of_whole_numbers(solution, rng):
    """Whole numbers as ends, and a default dtype of float64, still give a float32 axis unless asked otherwise."""
    t0 = rng.integer(-5, 5)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        actual = solution.time_axis(t0, t0 + 6, 4)
    finally:
        torch.set_default_dtype(before)
    assert_close(actual, torch.tensor([t0, t0 + 2, t0 + 4, t0 + 6], dtype=torch.float32))


@points(1)
@pytest.mark.parametrize("dtype", [*FLOATS, *HALVES, torch.int32, torch.int64], ids=name_of)
def test_count_in_every_dtype(solution, rng, dtype):
    """count_like must have the dtype of x and be exact in it, in half precision too."""
    shape = (rng.integer(2, 5), rng.integer(2, 5), 3)
    x = rng.randint(0, 9, shape).to(dtype)
    expected = torch.arange(x.numel()).reshape(shape).to(dtype)
    assert_close(solution.count_like(x), expected, rtol=0.0, atol=0.0)


@points(1)
@pytest.mark.parametrize("shape", [(), (0, 4), (1, 1, 5)], ids=["no-dimension", "empty", "ones"])
def test_count_in_small_shapes(solution, shape):
    """A tensor without dimensions and a tensor without elements have a count as well."""
    x = torch.full(shape, 7.0)
    assert_close(solution.count_like(x), torch.arange(x.numel(), dtype=torch.float32).reshape(shape))


@points(2)
@pytest.mark.parametrize("layout", ["transposed", "expanded"])
def test_count_follows_indices(solution, rng, layout):
    """The count follows the indices of x, not the order of its memory."""
    x = rng.randn(3, 4).t() if layout == "transposed" else rng.randn(4, 1).expand(4, 3)
    assert_close(solution.count_like(x), torch.arange(12, dtype=torch.float32).reshape(4, 3))


@points(2)
def test_count_on_the_device_of_x(solution):
    """The count lies on the device of x, here the meta device, which has shapes and no memory."""
    made = solution.count_like(torch.empty(2, 5, device="meta", dtype=torch.int32))
    check(made.device.type == "meta", "the result is not on the device of x")
    check(tuple(made.shape) == (2, 5) and made.dtype == torch.int32, "the result has another shape or dtype than x")


@points(1)
@pytest.mark.parametrize("dtype", [*FLOATS, *HALVES], ids=name_of)
def test_noise_in_every_dtype(solution, rng, dtype):
    """The noise has the shape and dtype of x, also of half precision and for transposed x."""
    x = rng.randn(4, 3, dtype=dtype).t()
    noise = assert_deterministic(solution.noise_like, x, rng.seed())
    assert_close(torch.zeros_like(noise), torch.zeros(3, 4, dtype=dtype))


@points(2)
def test_noise_is_standard_normal(solution, rng):
    """Mean 0, standard deviation 1 and tails on both sides: the normal distribution, not the uniform one."""
    noise = solution.noise_like(torch.zeros(100, 100), rng.seed())
    check(abs(float(noise.mean())) < 0.08, "the mean is not near 0")
    check(abs(float(noise.std()) - 1) < 0.08, "the standard deviation is not near 1")
    inside = float((noise.abs() < 1).float().mean())
    check(abs(inside - 0.6827) < 0.05, "the share of draws within one standard deviation is not that of a normal")


@points(2)
def test_noise_of_another_seed(solution, rng):
    """Another seed gives other noise: the seed must reach the generator."""
    x, seed = torch.zeros(4, 4), rng.integer(0, 2**30)
    one, other = solution.noise_like(x, seed), solution.noise_like(x, seed + 1)
    assert_close(torch.zeros_like(one), x)
    check(not torch.equal(one, other), "two seeds give the same noise")


@points(3)
def test_noise_leaves_the_global_generator(solution, probes, rng):
    """What the program draws after the call must be what it would have drawn without it."""
    _, after, expected = probes.noise_and_generator(torch.zeros(5), rng.seed(), rng.seed())
    assert_close(after, expected, rtol=0.0, atol=0.0, name="the next draws of the global generator")


@points(2)
def test_noise_ignores_the_global_seed(solution, probes, rng):
    """Equal seeds give equal noise, whatever the global generator was seeded with."""
    x, seed, before = torch.zeros(5), rng.seed(), rng.integer(0, 2**30)
    first, *_ = probes.noise_and_generator(x, seed, before)
    second, *_ = probes.noise_and_generator(x, seed, before + 1)
    assert_close(second, first, rtol=0.0, atol=0.0, name="noise under another global seed")


@points(2)
@pytest.mark.parametrize("values", ["nan", "requires-grad"])
def test_noise_knows_nothing_of_the_values(solution, rng, values):
    """Only shape, dtype and device of x matter: NaN in x, or a gradient it requires, must not reach the noise."""
    seed = rng.seed()
    x = torch.full((3,), float("nan")) if values == "nan" else rng.randn(3).requires_grad_()
    noise = solution.noise_like(x, seed)
    check(not noise.requires_grad, "the noise requires a gradient")
    assert_close(noise, solution.noise_like(torch.zeros(3), seed), rtol=0.0, atol=0.0)


@points(1)
def test_x_stays_as_it_is(solution, rng):
    """x lends its shape, dtype and device; nothing may be written into it."""
    x = rng.randn(3, 4)
    assert_not_mutated(solution.count_like, x)
    assert_not_mutated(solution.noise_like, x, 3)


@points(1)
def test_negative_seeds(solution, rng):
    """A seed may be negative: it is another seed than its absolute value, and gives equal noise each time."""
    x, seed = torch.zeros(4, 3), rng.integer(1, 1000)
    noise = solution.noise_like(x, -seed)
    check(torch.equal(noise, solution.noise_like(x, -seed)), "equal seeds have not given equal noise")
    check(not torch.equal(noise, solution.noise_like(x, seed)), "a seed and its negative have given equal noise")
