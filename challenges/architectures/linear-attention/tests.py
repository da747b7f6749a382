"""Hidden tests: causal linear attention in three forms."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))


def drawn(rng, B=2, H=3, T=7, e=3, m=4, dtype=F64):
    return rng.randn(B, H, T, e, dtype=dtype), rng.randn(B, H, T, e, dtype=dtype), rng.randn(B, H, T, m, dtype=dtype)


def expected(q, k, v, state=None):
    """Token by token, from the formula; and the state after the last one."""
    fq, fk, rows = phi(q), phi(k), []
    for t in range(q.shape[2]):
        w = (fq[:, :, t : t + 1] * fk[:, :, : t + 1]).sum(-1)
        above, below = (w[..., None] * v[:, :, : t + 1]).sum(2), w.sum(-1, keepdim=True)
        if state is not None:
            above = above + torch.einsum("bhe,bhem->bhm", fq[:, :, t], state[0])
            below = below + (fq[:, :, t] * state[1]).sum(-1, keepdim=True)
        rows.append(above / below)
    S, z = torch.einsum("bhte,bhtm->bhem", fk, v), fk.sum(2)
    return torch.stack(rows, 2), ((S, z) if state is None else (state[0] + S, state[1] + z))


def pair(result):
    right = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], tuple) and len(result[1]) == 2
    check(right, "the result must be (y, (S, z))")
    return result


def same_state(found, wanted, scale=4.0):
    for name, a, b in zip(("S", "z"), found, wanted, strict=True):
        assert_close(a, b, scale=scale, name=f"state {name}")


def by_steps(solution, q, k, v, state=None):
    rows = []
    for t in range(q.shape[2]):
        y, state = pair(solution.step(state, q[:, :, t], k[:, :, t], v[:, :, t]))
        rows.append(y)
    return torch.stack(rows, dim=2), state


@sample
@points(1)
def test_means_of_the_past(solution):
    """With queries and keys at zero all weights are equal: each token gets the mean of the values so far."""
    q = k = torch.zeros(1, 1, 3, 2)
    v = torch.tensor([2.0, 4.0, 9.0]).view(1, 1, 3, 1)
    assert_close(solution.parallel(q, k, v).flatten(), torch.tensor([2.0, 3.0, 5.0]))


@sample
@points(1)
def test_one_step_by_hand(solution):
    """The first token gives its own value, and leaves φ(k)vᵀ and φ(k) as the state."""
    q, k, v = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[2.0, 0.0]]]), torch.tensor([[[5.0, -1.0]]])
    y, state = pair(solution.step(None, q, k, v))
    assert_close(y, v)
    same_state(state, (torch.tensor([[[[15.0, -3.0], [5.0, -1.0]]]]), torch.tensor([[[3.0, 1.0]]])))


@sample
@points(1)
def test_chunks_of_two(solution, rng):
    """Five tokens in chunks of two give what the formula gives."""
    q, k, v = drawn(rng, 1, 1, 5, 2, 3)
    y, state = pair(solution.chunked(q, k, v, 2))
    wanted, after = expected(q, k, v)
    assert_close(y, wanted, scale=4.0)
    same_state(state, after)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("T", [1, 6])
def test_parallel(solution, rng, T, dtype):
    """The parallel form differs from the formula: the feature map, the triangle, the normaliser."""
    q, k, v = drawn(rng, T=T, dtype=dtype)
    assert_close(solution.parallel(q, k, v), expected(q, k, v)[0], scale=4.0)


@points(2)
@EACH_DTYPE
def test_steps(solution, rng, dtype):
    """Step by step, results or states differ from the formula."""
    q, k, v = drawn(rng, T=5, dtype=dtype)
    y, state = by_steps(solution, q, k, v)
    wanted, after = expected(q, k, v)
    assert_close(y, wanted, scale=4.0)
    same_state(state, after)


@points(3)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 100])
def test_chunks_of_any_size(solution, rng, size):
    """In chunks of this size, results or states differ: the state that enters, the triangle inside, the last chunk."""
    q, k, v = drawn(rng)
    y, state = pair(solution.chunked(q, k, v, size))
    wanted, after = expected(q, k, v)
    assert_close(y, wanted, scale=4.0)
    same_state(state, after)


@points(2)
@pytest.mark.parametrize("size", [2, 5])
def test_from_a_state(solution, rng, size):
    """A text goes on from a state: both forms that take one give what the whole text gives."""
    q, k, v = drawn(rng, T=9)
    _, state = expected(q[:, :, :4], k[:, :, :4], v[:, :, :4])
    wanted, after = expected(q, k, v)
    rest = [x[:, :, 4:] for x in (q, k, v)]
    for y, end in (pair(solution.chunked(*rest, size, state)), by_steps(solution, *rest, state)):
        assert_close(y, wanted[:, :, 4:], scale=4.0)
        same_state(end, after)


@points(3)
@pytest.mark.parametrize("form", ["parallel", "step", "chunked"])
def test_gradients(solution, rng, form):
    """A gradient differs: it must flow through numerator, normaliser and state."""
    tensors = drawn(rng, T=5)
    cotangent = rng.randn(2, 3, 5, 4, dtype=F64)
    results = []
    for mine in (True, False):
        leaves = [x.clone().requires_grad_() for x in tensors]
        if not mine:
            y = expected(*leaves)[0]
        elif form == "parallel":
            y = solution.parallel(*leaves)
        elif form == "step":
            y = by_steps(solution, *leaves)[0]
        else:
            y = pair(solution.chunked(*leaves, 2))[0]
        check(y.requires_grad, "the result is detached from its inputs")
        results.append(torch.autograd.grad(y, leaves, cotangent))
    for name, a, b in zip("qkv", *results, strict=True):
        assert_close(a, b, scale=16.0, name=f"gradient of {name}")


@points(2)
def test_gradients_through_a_state(solution, rng):
    """Gradients flow through the state that enters and the one that leaves."""
    q, k, v = drawn(rng, T=4)
    start = (rng.randn(2, 3, 3, 4, dtype=F64), 1 + rng.rand(2, 3, 3, dtype=F64))
    cotangents = rng.randn(2, 3, 4, 4, dtype=F64), rng.randn(2, 3, 3, 4, dtype=F64), rng.randn(2, 3, 3, dtype=F64)
    results = []
    for run in (
        lambda *a: pair(solution.chunked(*a[:3], 3, a[3:])),
        lambda *a: by_steps(solution, *a[:3], a[3:]),
        None,
    ):
        leaves = [x.clone().requires_grad_() for x in (q, k, v, *start)]
        y, (S, z) = expected(*leaves[:3], leaves[3:]) if run is None else run(*leaves[:3], *leaves[3:])
        results.append(torch.autograd.grad([y, S, z], leaves, cotangents))
    for found in results[:2]:
        for name, a, b in zip(("q", "k", "v", "S", "z"), found, results[2], strict=True):
            assert_close(a, b, scale=16.0, name=f"gradient of {name}")


@points(2)
def test_equal_values_come_back(solution, rng):
    """A weighted mean of equal values is this value, whatever the weights are."""
    q, k, _ = drawn(rng, T=6)
    v = rng.randn(2, 3, 1, 4, dtype=F64).expand(2, 3, 6, 4)
    assert_close(solution.parallel(q, k, v), v, scale=4.0, name="parallel")
    assert_close(by_steps(solution, q, k, v)[0], v, scale=4.0, name="steps")
    assert_close(pair(solution.chunked(q, k, v, 4))[0], v, scale=4.0, name="chunked")


@points(2)
@pytest.mark.parametrize("changed", [1, 4])
def test_the_future_does_not_leak(solution, rng, changed):
    """Changing later tokens must not move earlier results, and it moves its own."""
    q, k, v = drawn(rng, T=6)
    other_k, other_v = k.clone(), v.clone()
    other_k[:, :, changed:] += 1 + rng.rand(2, 3, 6 - changed, 3, dtype=F64)
    other_v[:, :, changed:] += 1 + rng.rand(2, 3, 6 - changed, 4, dtype=F64)
    for run in (solution.parallel, lambda *a: pair(solution.chunked(*a, 4))[0]):
        before, after = run(q, k, v), run(q, other_k, other_v)
        assert_close(after[:, :, :changed], before[:, :, :changed], rtol=1e-9, atol=1e-9)
        check(not torch.allclose(after[:, :, changed], before[:, :, changed]), "a token must see itself")


@points(1)
def test_very_different_inputs(solution, rng):
    """For inputs of several units, results are as right as for small ones; at 800, results and gradients are finite."""
    q, k, v = drawn(rng, T=5)
    q, k = 2 * q, 2 * k
    wanted, _ = expected(q, k, v)
    assert_close(solution.parallel(q, k, v), wanted, scale=16.0, name="parallel")
    assert_close(by_steps(solution, q, k, v)[0], wanted, scale=16.0, name="steps")
    assert_close(pair(solution.chunked(q, k, v, 2))[0], wanted, scale=16.0, name="chunked")
    big = torch.full((1, 1, 3, 2), 800.0)
    big.requires_grad_()
    out = solution.parallel(big, big, big)
    check(bool(out.isfinite().all()), "elu of 800 is 800; the exponential of 800 is infinite")
    out.sum().backward()
    check(bool(big.grad.isfinite().all()), "a gradient at 800 is not finite: where computes both branches")


@points(2)
@pytest.mark.parametrize("which", ["queries", "keys"])
def test_small_features(solution, rng, which):
    """With queries or keys of -20 and -50 in float32, results and gradients are right: small features are not 0."""
    for low in (20, 50):
        q, k, v = drawn(rng, T=4, dtype=F32)
        q, k = (q - low, k) if which == "queries" else (q, k - low)
        cotangent = rng.randn(2, 3, 4, 4, dtype=F32)
        leaves = [x.double().requires_grad_() for x in (q, k, v)]
        wanted = expected(*leaves)[0]
        gradients = torch.autograd.grad(wanted, leaves, cotangent.double())
        wanted = wanted.detach().float()
        assert_close(by_steps(solution, q, k, v)[0], wanted, scale=16.0, name=f"steps, {which} around -{low}")
        assert_close(pair(solution.chunked(q, k, v, 3))[0], wanted, scale=16.0, name=f"chunked, {which} around -{low}")
        leaves = [x.clone().requires_grad_() for x in (q, k, v)]
        y = solution.parallel(*leaves)
        assert_close(y.detach(), wanted, scale=16.0, name=f"parallel, {which} around -{low}")
        for name, a, b in zip("qkv", torch.autograd.grad(y, leaves, cotangent), gradients, strict=True):
            assert_close(a, b.float(), scale=32.0, name=f"gradient of {name}, {which} around -{low}")


@points(1)
@attested
def test_small_intermediates(attest, solution, rng):
    """In chunks, no tensor may be as large as T × T, or hold a state for each token."""
    q, k, v = drawn(rng, 1, 1, 96, 8, 8, F32)
    seen = attest(solution.chunked, q, k, v, 4)
    check(seen.largest_numel <= 96 * 16, "an intermediate tensor is larger than the statement allows")


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Inputs and states are as they were, so that two continuations may start from one state."""
    q, k, v = drawn(rng, T=4)
    state = expected(q, k, v)[1]
    assert_not_mutated(solution.parallel, q, k, v)
    assert_not_mutated(solution.chunked, q, k, v, 3, state)
    assert_not_mutated(solution.step, state, q[:, :, 0], k[:, :, 0], v[:, :, 0])


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed views are ordinary inputs."""
    q, k, v = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in drawn(rng, T=5))
    wanted = expected(q, k, v)[0]
    assert_close(solution.parallel(q, k, v), wanted, scale=4.0)
    assert_close(pair(solution.chunked(q, k, v, 2))[0], wanted, scale=4.0)
