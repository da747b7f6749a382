"""Hidden tests: a selective state-space recurrence in three forms."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("x", "delta", "A", "B", "C", "h")


def looped(a, u, h=None):
    """The recurrence, one token after the other; and a list, so that nothing is written in place."""
    h, rows = torch.zeros_like(u[:, 0]) if h is None else h, []
    for t in range(a.shape[1]):
        h = a[:, t] * h + u[:, t]
        rows.append(h)
    return torch.stack(rows, 1)


def expected(x, delta, A, B, C, h=None):
    """y of all tokens, and the last state."""
    a = torch.exp(torch.einsum("ntd,ds->ntds", delta, A))
    states = looped(a, torch.einsum("ntd,ntd,nts->ntds", delta, x, B), h)
    return torch.einsum("ntds,nts->ntd", states, C), states[:, -1]


def drawn(rng, n=2, T=7, d=3, s=5, dtype=F64):
    """x, delta, A, B, C: half of what was there is left after one or two tokens."""
    x, B, C = (rng.randn(n, T, size, dtype=dtype) for size in (d, s, s))
    return x, 0.2 + rng.rand(n, T, d, dtype=dtype), -0.2 - rng.rand(d, s, dtype=dtype), B, C


def factors(rng, *shape, dtype=F64):
    """Factors of both signs."""
    return 1.9 * rng.rand(*shape, dtype=dtype) - 0.95


def pair(result):
    check(isinstance(result, tuple) and len(result) == 2, "the result must be a pair (y, h)")
    return result


def by_steps(solution, x, delta, A, B, C, h=None):
    rows = []
    for t in range(x.shape[1]):
        y, h = pair(solution.step(h, x[:, t], delta[:, t], A, B[:, t], C[:, t]))
        rows.append(y)
    return torch.stack(rows, dim=1), h


def in_chunks(solution, *tensors, size=3, h=None):
    return pair(solution.chunked(*tensors, size) if h is None else solution.chunked(*tensors, size, h))


def same(found, wanted, scale=4.0, names=("y", "the last state")):
    for name, a, b in zip(names, found, wanted, strict=True):
        assert_close(a, b, scale=scale, name=name)


@sample
@points(1)
def test_one_step_by_hand(solution):
    """The state is halved and takes Δ·B·x in; y is read from the new state."""
    h = torch.tensor([[[8.0, 4.0]]])
    A = -torch.tensor([[2.0, 4.0]]).log() / 2
    x, delta = torch.tensor([[3.0]]), torch.tensor([[2.0]])
    y, new = pair(solution.step(h, x, delta, A, torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 10.0]])))
    assert_close(new, torch.tensor([[[10.0, -5.0]]]), name="the new state")
    assert_close(y, torch.tensor([[-40.0]]), name="y")


@sample
@points(1)
def test_scan_by_hand(solution):
    """With a = 1/2 and u = 1, the states from 0 approach 2; with u = 0, those from 16 are halved."""
    half = torch.full((1, 4, 1, 1), 0.5)
    states = solution.scan(half, torch.ones(1, 4, 1, 1))
    assert_close(states.flatten(), torch.tensor([1.0, 1.5, 1.75, 1.875]))
    states = solution.scan(half, torch.zeros(1, 4, 1, 1), torch.full((1, 1, 1), 16.0))
    assert_close(states.flatten(), torch.tensor([8.0, 4.0, 2.0, 1.0]))


@sample
@points(1)
def test_chunks_of_two(solution, rng):
    """Five tokens in chunks of two give what a loop gives."""
    tensors = drawn(rng, 1, 5, 2, 3)
    same(in_chunks(solution, *tensors, size=2), expected(*tensors))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("T", [1, 2, 3, 8, 21])
def test_scan(solution, rng, T, dtype):
    """A state of the scan differs from the loop: how are two steps combined, and in which order?"""
    a, u = factors(rng, 2, T, 3, 5, dtype=dtype), rng.randn(2, T, 3, 5, dtype=dtype)
    assert_close(solution.scan(a, u), looped(a, u), scale=4.0, name="from zeros")
    h = 3e5 * rng.randn(2, 3, 5, dtype=dtype)
    assert_close(solution.scan(a, u, h), looped(a, u, h), scale=4.0, name="from a state")


@points(2)
@EACH_DTYPE
def test_steps(solution, rng, dtype):
    """Token by token, y or the state differs: the decay, what is written, or when y is read."""
    tensors = drawn(rng, T=4, dtype=dtype)
    same(by_steps(solution, *tensors), expected(*tensors))
    h = rng.randn(2, 3, 5, dtype=dtype)
    same(by_steps(solution, *tensors, h), expected(*tensors, h))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_chunks_of_any_size(solution, rng, size, dtype):
    """In chunks of this size, y or the last state differs: what enters a chunk, what leaves it, and the last chunk."""
    tensors = drawn(rng, dtype=dtype)
    same(in_chunks(solution, *tensors, size=size), expected(*tensors))
    h = 3 * rng.randn(2, 3, 5, dtype=dtype)
    same(in_chunks(solution, *tensors, size=size, h=h), expected(*tensors, h))


@points(2)
def test_in_two_parts(solution, rng):
    """A text that is interrupted and goes on from the returned state gives what the whole text gives."""
    tensors = drawn(rng, T=11)
    x, delta, A, B, C = tensors
    y, h = in_chunks(solution, x[:, :6], delta[:, :6], A, B[:, :6], C[:, :6], size=4)
    late, end = in_chunks(solution, x[:, 6:], delta[:, 6:], A, B[:, 6:], C[:, 6:], size=2, h=h)
    same((torch.cat([y, late], 1), end), in_chunks(solution, *tensors, size=11))
    late, end = by_steps(solution, x[:, 6:], delta[:, 6:], A, B[:, 6:], C[:, 6:], h)
    same((torch.cat([y, late], 1), end), expected(*tensors))


@points(3)
@pytest.mark.parametrize("form", ["step", "chunked"])
def test_gradients(solution, rng, form):
    """A gradient differs: it must reach every tensor, and flow through the states, the first and the last one included."""
    tensors = (*drawn(rng, T=5), rng.randn(2, 3, 5, dtype=F64))
    cotangents = rng.randn(2, 5, 3, dtype=F64), rng.randn(2, 3, 5, dtype=F64)
    runs = {
        "step": lambda *z: by_steps(solution, *z),
        "chunked": lambda *z: in_chunks(solution, *z[:5], size=2, h=z[5]),
    }
    results = []
    for run in (runs[form], expected):
        leaves = [z.clone().requires_grad_() for z in tensors]
        y, h = run(*leaves)
        check(y.requires_grad and h.requires_grad, "a result is detached from its inputs")
        results.append(torch.autograd.grad([y, h], leaves, cotangents, allow_unused=True))
    for name, a, b in zip(NAMES, *results, strict=True):
        check(a is not None, f"no gradient reaches {name}")
        assert_close(a, b, scale=16.0, name=f"gradient of {name}")


@points(3)
@pytest.mark.parametrize("T", [1, 6, 13])
def test_gradients_of_scan(solution, rng, T):
    """A gradient of the scan differs, also where a factor is exactly 0."""
    a, u, h = factors(rng, 2, T, 3, 2), rng.randn(2, T, 3, 2, dtype=F64), rng.randn(2, 3, 2, dtype=F64)
    a[0, T // 2], a[1, T // 3, 0] = 0.0, 0.0
    cotangent = rng.randn(2, T, 3, 2, dtype=F64)
    results = []
    for run in (solution.scan, looped):
        leaves = [z.clone().requires_grad_() for z in (a, u, h)]
        states = run(*leaves)
        check(states.requires_grad, "the result is detached from its inputs")
        results.append(torch.autograd.grad(states, leaves, cotangent, allow_unused=True))
    for name, mine, theirs in zip("auh", *results, strict=True):
        check(mine is not None, f"no gradient reaches {name}")
        assert_close(mine, theirs, scale=16.0, name=f"gradient of {name}")


@points(3)
@pytest.mark.parametrize("kind", ["decay", "zeros", "ones", "signs"])
def test_long_scan(solution, rng, kind):
    """After thousands of tokens in float32, states differ from the loop: a product that reached 0 must not be divided by."""
    T = 3000
    a, u = 0.6 + 0.35 * rng.rand(1, T, 2, 3), rng.randn(1, T, 2, 3)
    if kind == "zeros":
        a = a.masked_fill(rng.mask(1, T, 2, 3, p=0.01), 0.0)
    elif kind == "ones":
        a = torch.where(rng.mask(1, T, 2, 3, p=0.9), 1.0, a)
    elif kind == "signs":
        a = torch.where(rng.mask(1, T, 2, 3), -a, a)
    wanted = looped(a.double(), u.double()).float()
    assert_close(solution.scan(a, u), wanted, scale=4.0)


def long_text(rng, T, d=2, s=3, dtype=F32):
    """Weak decays, and now and then a token that forgets all; what a token writes does not depend on how strong it is."""
    x, delta, A, B, C = drawn(rng, 1, T, d, s, dtype)
    strong = rng.mask(1, T, d, p=0.02)
    strong[:, 5] = strong[:, T // 2] = True
    delta = torch.where(strong, 150 + 150 * delta, 1e-3 + 0.02 * delta)
    return x / delta, delta, A, B, C


@points(3)
@pytest.mark.parametrize("size", [32, 200, 2000])
def test_long_text(solution, rng, size):
    """Tokens that forget everything stand beside weak decays, and digits are lost: sums of exponents get too large."""
    for _ in range(3 if size == 2000 else 1):  # a sum of exponents may be exact enough in one draw
        tensors = long_text(rng, 1500)
        wanted = expected(*(z.double() for z in tensors))
        same(in_chunks(solution, *tensors, size=size), [z.float() for z in wanted], scale=8.0)


@points(2)
def test_gradients_of_a_long_text(solution, rng):
    """A gradient of a long text is not finite or not exact: no exponential of a positive number may be on the way."""
    tensors = long_text(rng, 300)
    cotangent = rng.randn(1, 300, 2)
    mine = [z.clone().requires_grad_() for z in tensors]
    found = torch.autograd.grad(in_chunks(solution, *mine, size=90)[0], mine, cotangent)
    theirs = [z.double().requires_grad_() for z in tensors]
    wanted = torch.autograd.grad(expected(*theirs)[0], theirs, cotangent.double())
    for name, a, b in zip(NAMES[:5], found, wanted, strict=True):
        assert_close(a, b.float(), scale=128.0, name=f"gradient of {name}")


@points(2)
def test_tokens_without_time(solution, rng):
    """A token with Δ = 0 changes no state: without it, all other tokens give the same."""
    x, delta, A, B, C = drawn(rng, T=9)
    skip = torch.tensor([0, 3, 4, 8])
    delta[:, skip] = 0.0
    rest = [t for t in range(9) if t not in skip.tolist()]
    h = rng.randn(2, 3, 5, dtype=F64)
    y, end = in_chunks(solution, x, delta, A, B, C, size=4, h=h)
    short, short_end = in_chunks(solution, x[:, rest], delta[:, rest], A, B[:, rest], C[:, rest], size=4, h=h)
    same((y[:, rest], end), (short, short_end))


@points(2)
def test_forgotten_past(solution, rng):
    """After a token with a large Δ, nothing from before it may have an influence; before it, everything has."""
    x, delta, A, B, C = drawn(rng, T=8)
    delta[:, 4] = 5000.0
    other, h = x.clone(), 100 * rng.randn(2, 3, 5, dtype=F64)
    other[:, :4] += 1 + rng.rand(2, 4, 3, dtype=F64)
    (one, end), (two, other_end) = (
        in_chunks(solution, z, delta, A, B, C, size=3, h=g) for z, g in ((x, h), (other, -h))
    )
    assert_close(two[:, 4:], one[:, 4:], rtol=1e-12, atol=1e-12, name="y after the token")
    assert_close(other_end, end, rtol=1e-12, atol=1e-12, name="the last state")
    check(not torch.isclose(one[:, :4], two[:, :4]).all(-1).any(), "a token before it has no influence")


@points(2)
@pytest.mark.parametrize("changed", [1, 5])
def test_the_future_does_not_leak(solution, rng, changed):
    """Changing later tokens must not move earlier results, and it moves its own."""
    x, delta, A, B, C = drawn(rng, T=8)
    other = [z.clone() for z in (x, delta, B, C)]
    for z in other:
        z[:, changed:] += 1 + rng.rand(*z[:, changed:].shape, dtype=F64)
    before, _ = in_chunks(solution, x, delta, A, B, C, size=4)
    after, _ = in_chunks(solution, other[0], other[1], A, *other[2:], size=4)
    assert_close(after[:, :changed], before[:, :changed], rtol=1e-12, atol=1e-12)
    check(not torch.allclose(after[:, changed], before[:, changed]), "y of a token is read from the state that has it")


def operators(seen):
    return sum(count for name, count in seen.operators.items() if name.startswith("aten::"))


@points(2)
@attested
def test_scan_is_parallel(attest, solution, rng):
    """The scan calls more than T operators, or makes a tensor that is too large: work on all tokens at once."""
    a, u = factors(rng, 1, 1024, 2, 2, dtype=F32), rng.randn(1, 1024, 2, 2)
    seen = attest(solution.scan, a, u, rng.randn(1, 2, 2))
    check(operators(seen) <= 1024, "more than T operators were called")
    check(seen.largest_numel <= 4 * a.numel(), "an operator produced more elements than the statement allows")


@points(2)
@attested
def test_chunks_are_parallel(attest, solution, rng):
    """In chunks, a tensor is too large, or the tokens of a chunk are visited one by one."""
    n, d, s = 1, 7, 5
    seen = attest(solution.chunked, *drawn(rng, n, 160, d, s, F32), 16)
    check(seen.largest_numel <= 2 * n * max(16 * d * s, 160 * (d + s)), "an operator produced too many elements")
    seen = attest(solution.chunked, *drawn(rng, n, 2048, 2, 3, F32), 1024)
    check(operators(seen) <= 2048, "more than T operators were called")


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Inputs and states are as they were, so that two continuations may start from one state."""
    x, delta, A, B, C = drawn(rng, T=5)
    h = rng.randn(2, 3, 5, dtype=F64)
    assert_not_mutated(solution.chunked, x, delta, A, B, C, 2, h)
    assert_not_mutated(solution.step, h, x[:, 0], delta[:, 0], A, B[:, 0], C[:, 0])
    assert_not_mutated(solution.scan, factors(rng, 2, 6, 3, 5), rng.randn(2, 6, 3, 5, dtype=F64), h)


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed views are ordinary inputs."""
    x, delta, A, B, C = drawn(rng, T=6)
    views = [z.transpose(0, 1).contiguous().transpose(0, 1) for z in (x, delta)]
    views += [A.t().contiguous().t(), *(z.mT.contiguous().mT for z in (B, C))]
    same(in_chunks(solution, *views, size=4), expected(x, delta, A, B, C))
    a, u = (z.permute(3, 1, 0, 2) for z in (factors(rng, 3, 6, 5, 2), rng.randn(3, 6, 5, 2, dtype=F64)))
    assert_close(solution.scan(a, u), looped(a, u), scale=4.0, name="the scan")
