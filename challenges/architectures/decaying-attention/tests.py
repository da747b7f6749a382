"""Hidden tests: decaying attention, against a recurrence in the test, token by token."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("q", "k", "v", "gamma")


def true_chunked(q, k, v, gamma, size=1, state=None):
    """The recurrence; the size of the chunks does not matter."""
    total = state if state is not None else q.new_zeros(*q.shape[:2], q.shape[3], v.shape[3])
    outs = []
    for t in range(q.shape[2]):
        total = gamma[:, None, None] * total + k[:, :, t, :, None] * v[:, :, t, None, :]
        outs.append((q[:, :, t, :, None] * total).sum(2) / q.shape[3] ** 0.5)
    return torch.stack(outs, 2), total


def true_parallel(q, k, v, gamma):
    return true_chunked(q, k, v, gamma)[0]


def true_step(state, q, k, v, gamma):
    y, total = true_chunked(q[:, :, None], k[:, :, None], v[:, :, None], gamma, 1, state)
    return y[:, :, 0], total


def drawn(rng, t, dtype=F64, b=2, h=3, e=5, m=2):
    """(q, k, v, gamma); the heads have factors that are far apart."""
    gamma = torch.linspace(0.3, 1.0, h, dtype=dtype) if h > 1 else torch.full((1,), 0.8, dtype=dtype)
    return (
        rng.randn(b, h, t, e, dtype=dtype),
        rng.randn(b, h, t, e, dtype=dtype),
        rng.randn(b, h, t, m, dtype=dtype),
        gamma,
    )


@sample
@points(1)
def test_parallel_by_hand(solution):
    """With queries and keys of 1, a value of 8 fades to 4, 2 and 1 by a factor of one half."""
    one, v = torch.ones(1, 1, 4, 1), torch.tensor([8.0, 0.0, 0.0, 1.0]).view(1, 1, 4, 1)
    found = solution.parallel(one, one, v, torch.tensor([0.5]))
    assert_close(found.flatten(), torch.tensor([8.0, 4.0, 2.0, 2.0]))


@sample
@points(1)
def test_step_by_hand(solution):
    """The state fades first; then the new token is added, and read undiminished. Four features divide the score by 2."""
    one, v = torch.ones(1, 1, 4), torch.tensor([[[6.0]]])
    state = torch.full((1, 1, 4, 1), 10.0)
    y, new = solution.step(state, one, one, v, torch.tensor([0.2]))
    assert_close(new, torch.full((1, 1, 4, 1), 8.0), name="state")
    assert_close(y, torch.tensor([[[16.0]]]), name="y")


@sample
@points(1)
def test_chunks_by_hand(solution):
    """Chunks of two tokens give the same as all four, and the state after the last one."""
    one, v = torch.ones(1, 1, 4, 1), torch.tensor([8.0, 0.0, 0.0, 1.0]).view(1, 1, 4, 1)
    y, state = solution.chunked(one, one, v, torch.tensor([0.5]), 2)
    assert_close(y.flatten(), torch.tensor([8.0, 4.0, 2.0, 2.0]), name="y")
    assert_close(state.flatten(), torch.tensor([2.0]), name="state")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("t", [1, 2, 7])
def test_parallel(solution, rng, t, dtype):
    """A value or gradient of the parallel form differs: that of gamma counts every pair of tokens."""
    inputs = drawn(rng, t, dtype)
    wrt = [0, 1, 2] if t == 1 else [0, 1, 2, 3]
    assert_same_gradients(solution.parallel, true_parallel, inputs, wrt=wrt, names=NAMES, scale=16.0)


@points(2)
@EACH_DTYPE
def test_step(solution, rng, dtype):
    """A step differs, from a state or from the beginning; gradients reach the old state and gamma."""
    q, k, v, gamma = drawn(rng, 1, dtype)
    q, k, v = q[:, :, 0], k[:, :, 0], v[:, :, 0]
    state = rng.randn(2, 3, 5, 2, dtype=dtype)
    inputs = (state, q, k, v, gamma)
    assert_same_gradients(solution.step, true_step, inputs, names=("state", *NAMES), scale=16.0)
    for found, expected in zip(solution.step(None, q, k, v, gamma), true_step(None, q, k, v, gamma), strict=True):
        assert_close(found, expected, scale=4.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("size", [1, 2, 3, 7, 11, 50])
def test_chunked(solution, rng, size, dtype):
    """Outputs, the state or a gradient of the chunked form differ: look at the exponents at both ends of a chunk."""
    inputs = (*drawn(rng, 11, dtype), size)
    assert_same_gradients(solution.chunked, true_chunked, inputs, wrt=[0, 1, 2, 3], names=NAMES, scale=16.0)


@points(2)
@pytest.mark.parametrize("size", [1, 3, 4, 9])
def test_from_a_state(solution, rng, size):
    """A state that came before counts, fades, and receives a gradient."""
    inputs = (*drawn(rng, 9), size, rng.randn(2, 3, 5, 2, dtype=F64))
    assert_same_gradients(
        solution.chunked, true_chunked, inputs, wrt=[0, 1, 2, 3, 5], names=(*NAMES, "size", "state"), scale=16.0
    )


@points(2)
def test_pieces(solution, rng):
    """A text in pieces, in different forms, gives what the whole text gives: the state carries everything."""
    q, k, v, gamma = drawn(rng, 12)
    whole = solution.parallel(q, k, v, gamma)
    y, state = solution.chunked(q[:, :, :5], k[:, :, :5], v[:, :, :5], gamma, 2)
    assert_close(y, whole[:, :, :5], scale=8.0, name="first piece")
    for t in range(5, 8):
        y, state = solution.step(state, q[:, :, t], k[:, :, t], v[:, :, t], gamma)
        assert_close(y, whole[:, :, t], scale=8.0, name="a step")
    y, state = solution.chunked(q[:, :, 8:], k[:, :, 8:], v[:, :, 8:], gamma, 3, state)
    assert_close(y, whole[:, :, 8:], scale=8.0, name="last piece")
    assert_close(state, true_chunked(q, k, v, gamma)[1], scale=8.0, name="last state")


@points(3)
@pytest.mark.parametrize("factor", [1e-3, 0.5, 0.9, 1.0])
@EACH_DTYPE
def test_long_sequences(solution, rng, dtype, factor):
    """After hundreds of tokens a result is not finite or not right: is a power with a negative exponent on the way?"""
    q, k, v, _ = drawn(rng, 300, dtype, b=1, h=1, e=2, m=1)
    gamma = torch.tensor([factor], dtype=dtype)
    expected, last = true_chunked(*(x.double() for x in (q, k, v, gamma)))
    assert_close(solution.parallel(q, k, v, gamma), expected.to(dtype), scale=8.0, name="parallel")
    for size in (64, 300):
        y, state = solution.chunked(q, k, v, gamma, size)
        assert_close(y, expected.to(dtype), scale=8.0, name="chunked")
        assert_close(state, last.to(dtype), scale=8.0, name="state")


@points(2)
@pytest.mark.parametrize("factor", [1e-3, 0.7, 1.0])
def test_gradients_of_long_sequences(solution, rng, factor):
    """A gradient is not finite or not right for 150 tokens, also that of gamma: a mask does not undo an overflow."""
    q, k, v, _ = drawn(rng, 150, F64, b=1, h=1, e=2, m=1)
    inputs = (q, k, v, torch.tensor([factor], dtype=F64))
    assert_same_gradients(solution.parallel, true_parallel, inputs, names=NAMES, scale=64.0)
    inputs = (*(x[:, :, :100] for x in inputs[:3]), inputs[3], 40)
    assert_same_gradients(solution.chunked, true_chunked, inputs, wrt=[0, 1, 2, 3], names=NAMES, scale=64.0)


@points(2)
def test_causality(solution, rng):
    """A later token must not change an earlier output, and the decay depends on distances alone."""
    q, k, v, gamma = drawn(rng, 8)
    other = v.clone()
    other[:, :, 5:] += 100
    for call in (solution.parallel, lambda *given: solution.chunked(*given, 3)[0]):
        assert_close(call(q, k, other, gamma)[:, :, :5], call(q, k, v, gamma)[:, :, :5], name="earlier outputs")
    late = [torch.cat([torch.zeros_like(x[:, :, :3]), x], 2) for x in (q, k, v)]
    assert_close(
        solution.parallel(*late, gamma)[:, :, 3:], solution.parallel(q, k, v, gamma), scale=8.0, name="shifted"
    )


@points(1)
def test_nothing_fades(solution, rng):
    """With a factor of 1 the last output is the sum over all tokens."""
    q, k, v, _ = drawn(rng, 6)
    gamma = torch.ones(3, dtype=F64)
    total = torch.einsum("bhe,bhse,bhsm->bhm", q[:, :, -1], k, v) / 5**0.5
    assert_close(solution.parallel(q, k, v, gamma)[:, :, -1], total, scale=8.0)


@attested
@points(1)
def test_small_tensors(solution, attest, rng):
    """A tensor of the chunked form is larger than the statement allows: weights of all pairs, or a state for each token."""
    q, k, v, gamma = drawn(rng, 96, F32, b=1, h=2, e=16, m=16)
    for size in (8, 32):
        seen = attest(solution.chunked, q, k, v, gamma, size)
        check(seen.largest_numel <= 2 * max(size**2, size * 32, 96, 96 * 32), "a tensor on the way is too large")


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Heads that were moved by a view are ordinary, and neither arguments nor states are changed."""
    q, k, v = (rng.randn(2, 6, 3, 5, dtype=F64).transpose(1, 2) for _ in range(3))
    gamma = torch.tensor([0.9, 9.0, 0.5, 9.0, 0.2, 9.0], dtype=F64)[::2]
    state = rng.randn(2, 3, 5, 5, dtype=F64).mT
    assert_close(assert_not_mutated(solution.parallel, q, k, v, gamma), true_parallel(q, k, v, gamma), scale=8.0)
    for _ in range(2):
        found = assert_not_mutated(solution.chunked, q, k, v, gamma, 4, state)
        for one, other in zip(found, true_chunked(q, k, v, gamma, 4, state), strict=True):
            assert_close(one, other, scale=8.0)
        given = (state, q[:, :, 0], k[:, :, 0], v[:, :, 0], gamma)
        for one, other in zip(assert_not_mutated(solution.step, *given), true_step(*given), strict=True):
            assert_close(one, other, scale=8.0)
