"""Hidden tests: gradients of inputs and of intermediate results, without a trace."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
KINDS = pytest.mark.parametrize("kind", ["plain", "leaf", "computed"])


def drawn(rng, dtype=F64):
    return [rng.randn(5, 6, dtype=dtype), rng.randn(4, 5, dtype=dtype)]


def expected_saliency(weights, x):
    """By the chain rule, on paper: the batch norm of an untrained Net divides by the root of 1 + eps."""
    first, second = weights
    root = (1 + 1e-5) ** 0.5
    inner = torch.tanh((x.flatten(1) @ first.T + 0.1) / root)
    winner = (inner @ second.T).argmax(1)
    return ((second[winner] * (1 - inner**2) / root) @ first).abs().reshape(x.shape)


def expected_chain(weight, x):
    """The four gradients and the ones, on paper."""
    h1 = 2 * x
    h2 = torch.sin(h1)
    h3 = h2 @ weight
    g3 = 3 * h3**2
    g2 = g3 @ weight.T
    g1 = g2 * torch.cos(h1)
    return [2 * g1, g1, g2, g3, torch.ones_like(h3)]


def check_traces(found):
    check(found["data"], "a result requires a gradient")
    check(found["same"], "a flag, a mode or whether recording is on has changed")
    check(found["empty"], "a .grad that was None is filled")
    check(found.get("kept", True), "a .grad that was there has changed")


@sample
@points(1)
def test_saliency_of_a_linear_map(solution, probes):
    """The saliency of a small network, whose parameters must not get a .grad."""
    weights = [torch.eye(6)[:5], torch.eye(5)[:4]]
    x = torch.tensor([[0.5, 0.0, 0.0, 0.0, 0.0, 3.0], [0.0, -0.5, 0.25, 0.0, 0.0, 0.0]])
    found = probes.saliency(weights, x)
    assert_close(found["result"], expected_saliency(weights, x), name="saliency")
    check(found["empty"], "a .grad that was None is filled")


@sample
@points(1)
def test_chain_of_two(solution):
    """Three times the input, then the square: gradients of the input, of the product and of the squares."""
    found = solution.intermediate_grads([lambda h: 3 * h, lambda h: h.square()], torch.tensor([1.0, 2.0]))
    assert_close(found, [torch.tensor([18.0, 36.0]), torch.tensor([6.0, 12.0]), torch.ones(2)])


@sample
@points(1)
def test_no_functions(solution):
    """Without functions the sum of x itself is differentiated: ones."""
    assert_close(solution.intermediate_grads([], torch.zeros(2, 3)), [torch.ones(2, 3)])


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("shape", [(3, 6), (3, 2, 3)], ids=["rows", "images"])
def test_saliency_values(probes, rng, dtype, shape):
    """input_saliency: the absolute gradient of each row's largest score, in the shape and dtype of x."""
    weights, x = drawn(rng, dtype), rng.randn(*shape, dtype=dtype)
    assert_close(probes.saliency(weights, x)["result"], expected_saliency(weights, x), scale=8.0, name="saliency")


@points(2)
def test_saliency_against_differences(probes, rng):
    """input_saliency: the result does not agree with finite differences of the largest score."""
    weights, x, step = drawn(rng), rng.randn(2, 6, dtype=F64), 1e-6
    winner = probes.scores(weights, x).argmax(1, keepdim=True)
    moved = torch.cat([x[:, None] + step * torch.eye(6, dtype=F64), x[:, None] - step * torch.eye(6, dtype=F64)], 1)
    values = probes.scores(weights, moved.flatten(0, 1)).reshape(2, 12, 4)
    best = values.gather(2, winner[:, None].expand(2, 12, 1)).squeeze(2)
    slopes = ((best[:, :6] - best[:, 6:]) / (2 * step)).abs()
    assert_close(probes.saliency(weights, x)["result"], slopes, atol=1e-4, rtol=1e-4, name="saliency")


@points(2)
@KINDS
def test_saliency_leaves_no_trace(probes, rng, kind):
    """input_saliency: whatever x is, its flag, its .grad, the parameters' .grad and the mode must stay what they were."""
    weights, x = drawn(rng), rng.randn(3, 6, dtype=F64)
    found = probes.saliency(weights, x, kind)
    assert_close(found["result"], expected_saliency(weights, x), name="saliency")
    assert_close(found["x"], x, name="x afterwards")
    check_traces(found)


@points(1)
@pytest.mark.parametrize("frozen", ["first", "second"])
def test_saliency_of_a_frozen_model(probes, rng, frozen):
    """input_saliency: a frozen layer lets gradients through, and must still be frozen afterwards."""
    weights, x = drawn(rng), rng.randn(3, 6, dtype=F64)
    found = probes.saliency(weights, x, frozen=frozen)
    assert_close(found["result"], expected_saliency(weights, x), name="saliency")
    check_traces(found)


@points(1)
def test_saliency_in_two_modes(probes, rng):
    """input_saliency: some modules are in training mode and others are not; each is called in its mode and stays in it."""
    weights, x = drawn(rng), rng.randn(3, 6, dtype=F64)
    found = probes.saliency_in_modes(weights, x)
    assert_close(found["result"], 2 * expected_saliency(weights, x), name="saliency")
    check(found["same"], "a module is in another mode than before")


@points(1)
def test_saliency_where_recording_is_off(probes, rng):
    """input_saliency: under torch.no_grad() it must switch recording on for itself, and leave it off for the caller."""
    weights, x = drawn(rng), rng.randn(3, 6, dtype=F64)
    found = probes.saliency(weights, x, recording=False)
    assert_close(found["result"], expected_saliency(weights, x), name="saliency")
    check_traces(found)


@points(2)
@EACH_DTYPE
def test_chain_values(probes, rng, dtype):
    """intermediate_grads: one gradient for x and one for each result, from the first to the last, each function called once."""
    weight, x = rng.randn(3, 2, dtype=dtype), rng.randn(5, 3, dtype=dtype)
    found = probes.chain(weight, x)
    check(found["list"], "the result is not a list")
    assert_close(found["result"], expected_chain(weight, x), scale=8.0, name="gradients")
    check(found["calls"] == ["scale", "sine", "product", "cube"], "each function should be called once, in order")


@points(2)
@KINDS
def test_chain_leaves_no_trace(probes, rng, kind):
    """intermediate_grads: whatever x is, its flag and .grad must stay, and a weight that a function uses gets no .grad."""
    weight, x = rng.randn(3, 2, dtype=F64), rng.randn(5, 3, dtype=F64)
    found = probes.chain(weight, x, kind)
    assert_close(found["result"], expected_chain(weight, x), name="gradients")
    assert_close(found["x"], x, name="x afterwards")
    check_traces(found)


@points(1)
def test_chain_where_recording_is_off(probes, rng):
    """intermediate_grads: under torch.no_grad() it must switch recording on for itself, and leave it off for the caller."""
    weight, x = rng.randn(3, 2, dtype=F64), rng.randn(5, 3, dtype=F64)
    found = probes.chain(weight, x, recording=False)
    assert_close(found["result"], expected_chain(weight, x), name="gradients")
    check_traces(found)


@points(1)
@EACH_DTYPE
def test_a_function_that_changes_the_dtype(solution, rng, dtype):
    """intermediate_grads: each gradient has the dtype of its own result, which may differ from that of x."""
    other = F64 if dtype == F32 else F32
    x = rng.randn(4, dtype=dtype)
    expected = [(2 * x.to(other)).to(dtype), 2 * x.to(other), torch.ones(4, dtype=other)]
    assert_close(solution.intermediate_grads([lambda h: h.to(other), torch.square], x), expected, name="gradients")
    assert_close(solution.intermediate_grads([], x), [torch.ones_like(x)], name="gradients without functions")


@points(1)
def test_two_chains_in_a_row(solution, rng):
    """intermediate_grads: nothing may be left over from the call before."""
    fns = [lambda h: h**2, lambda h: 5 * h]
    for _ in range(2):
        x = rng.randn(3, dtype=F64)
        expected = [10 * x, torch.full((3,), 5.0, dtype=F64), torch.ones(3, dtype=F64)]
        assert_close(solution.intermediate_grads(fns, x), expected, name="gradients")


@points(1)
def test_x_stays_as_it_is(solution, rng):
    """intermediate_grads: x may be transposed or 0-d, and is not written to."""
    for x in (rng.randn(4, 3).t(), rng.randn()):
        found = assert_not_mutated(lambda x: solution.intermediate_grads([torch.exp, lambda h: 2 * h], x), x)
        assert_close(found, [2 * x.exp(), torch.full_like(x, 2.0), torch.ones_like(x)], name="gradients")
