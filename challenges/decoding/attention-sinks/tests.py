"""Hidden tests: attention with sinks and a window."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
FORMS = pytest.mark.parametrize("form", ["prefill", "step"])


def rotated(x, positions, base=10000.0):
    """Each pair of features as a complex number, turned; (..., e) with positions that broadcast to the rest."""
    half = x.shape[-1] // 2
    angle = torch.as_tensor(positions).double()[..., None] * base ** (-torch.arange(half, dtype=F64) / half)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def kept(i, sinks, window):
    """The tokens that token i sees, in order of age."""
    return [j for j in range(i + 1) if j < sinks or j > i - window]


def expected(q, k, v, sinks, window, base=10000.0):
    """Token by token from the definition; no cache."""
    rows = []
    for i in range(q.shape[2]):
        js = kept(i, sinks, window)
        places = torch.arange(len(js))
        query = rotated(q[:, :, i], len(js) - 1, base)
        scores = torch.einsum("bhe,bhse->bhs", query, rotated(k[:, :, js], places, base)) / math.sqrt(q.shape[3])
        rows.append(torch.einsum("bhs,bhsm->bhm", scores.softmax(-1), v[:, :, js]))
    return torch.stack(rows, dim=2)


def ordinary(q, k, v, window=None, base=10000.0):
    """Causal attention with rotary embeddings at the positions in the text, under a whole mask."""
    n = torch.arange(q.shape[2])
    hidden = n[:, None] < n
    if window is not None:
        hidden |= n[:, None] - n >= window
    scores = rotated(q, n, base) @ rotated(k, n, base).mT / math.sqrt(q.shape[3])
    return scores.masked_fill(hidden, -math.inf).softmax(-1) @ v


def inputs(rng, T, B=2, H=3, e=4, m=5, dtype=F64):
    """Queries, keys and values."""
    return tuple(rng.randn(B, H, T, size, dtype=dtype) for size in (e, e, m))


def pair(result):
    right = type(result) is tuple and len(result) == 2 and type(result[1]) is tuple and len(result[1]) == 2
    check(right, "the result must be (out, (keys, values))")
    return result


def by_steps(solution, q, k, v, *options, cache=None):
    outs = []
    for t in range(q.shape[2]):
        out, cache = pair(solution.step(q[:, :, t], k[:, :, t], v[:, :, t], cache, *options))
        outs.append(out)
    return torch.stack(outs, dim=2), cache


def run(solution, form, *arguments):
    if form == "step":
        return by_steps(solution, *arguments)
    return pair(solution.prefill(*arguments))


def expect_cache(cache, k, v, sinks, window):
    js = kept(k.shape[2] - 1, sinks, window)
    for name, found, whole in (("keys", cache[0], k), ("values", cache[1], v)):
        check(isinstance(found, torch.Tensor) and found.dim() == 4, f"{name}: a tensor with four dimensions expected")
        check(found.shape[2] == len(js), f"{name}: the cache must hold {len(js)} tokens, not {found.shape[2]}")
        assert_close(found.detach(), whole[:, :, js].detach(), rtol=0.0, atol=0.0, name=f"cached {name}")


@sample
@points(1)
def test_by_hand(solution):
    """With queries of zeros, each output is the mean of the sink and of the last two values."""
    v = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]).view(1, 1, 5, 1)
    q, k = torch.zeros(1, 1, 5, 2), torch.arange(10.0).view(1, 1, 5, 2)
    for form in ("prefill", "step"):
        out, cache = run(solution, form, q, k, v, 1, 2)
        assert_close(out.flatten(), torch.tensor([1.0, 1.5, 2.0, 8 / 3, 10 / 3]), name=f"{form}: output")
        assert_close(cache[1].flatten(), torch.tensor([1.0, 4.0, 5.0]), name=f"{form}: cached values")
        assert_close(cache[0].flatten(), torch.tensor([0.0, 1, 6, 7, 8, 9]), name=f"{form}: cached keys, not rotated")


@sample
@points(1)
def test_positions_by_hand(solution):
    """With S = W = 1, the sink stands one step before the query in each step: the scores are cos 1 and 1, divided by √2."""
    ones = torch.tensor([1.0, 0.0]).expand(1, 1, 5, 2)
    v = torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0]).view(1, 1, 5, 1)
    weights = torch.softmax(torch.tensor([math.cos(1.0), 1.0]) / math.sqrt(2.0), 0)
    wanted = torch.cat([torch.ones(1), weights[0].expand(4)])
    for form in ("prefill", "step"):
        assert_close(run(solution, form, ones, ones, v, 1, 1)[0].flatten(), wanted, name=f"{form}: output")


@sample
@points(1)
def test_ordinary_until_full(solution, rng):
    """As long as at most S + W tokens have come, nothing differs from causal attention with rotary embeddings."""
    q, k, v = inputs(rng, 5, 1, 2)
    for form in ("prefill", "step"):
        out, cache = run(solution, form, q, k, v, 2, 3)
        assert_close(out, ordinary(q, k, v), name=f"{form}: output")
        expect_cache(cache, k, v, 2, 3)


SIZES = {  # S, W, T, dtype
    "longer-than-both": (2, 3, 11, F64),
    "one-too-many": (4, 3, 8, F32),
    "exactly-full": (4, 3, 7, F64),
    "shorter": (5, 7, 6, F32),
    "fewer-than-the-sinks": (7, 2, 5, F64),
    "no-sinks": (0, 4, 9, F32),
    "window-of-one": (3, 1, 9, F64),
    "one-token": (2, 2, 1, F32),
}


@points(3)
@FORMS
@pytest.mark.parametrize("name", SIZES)
def test_values(solution, rng, name, form):
    """An output or the cache differs from the definition: who is seen, at which position, and who is kept."""
    sinks, window, T, dtype = SIZES[name]
    q, k, v = inputs(rng, T, dtype=dtype)
    out, cache = run(solution, form, q, k, v, sinks, window)
    wanted = expected(q, k, v, sinks, window)
    check(out.shape == wanted.shape, "output: the shape is wrong")
    for t in range(T):
        assert_close(out[:, :, t], wanted[:, :, t], scale=4.0, name=f"output of token {t}")
    expect_cache(cache, k, v, sinks, window)


@points(3)
@pytest.mark.parametrize("prompt", [1, 4, 6, 9])
def test_prompt_then_steps(solution, rng, prompt):
    """Steps that continue from the cache of a prompt differ from all tokens at once."""
    q, k, v = inputs(rng, 13)
    _, cache = pair(solution.prefill(q[:, :, :prompt], k[:, :, :prompt], v[:, :, :prompt], 2, 4))
    expect_cache(cache, k[:, :, :prompt], v[:, :, :prompt], 2, 4)
    rest = [x[:, :, prompt:] for x in (q, k, v)]
    out, cache = by_steps(solution, *rest, 2, 4, cache=cache)
    assert_close(out, expected(q, k, v, 2, 4)[:, :, prompt:], scale=4.0)
    expect_cache(cache, k, v, 2, 4)


@points(2)
@FORMS
def test_ordinary_until_full_and_not_after(solution, rng, form):
    """Tokens up to S + W see everything as in ordinary attention; from the next one on, something is missing."""
    q, k, v = inputs(rng, 9)
    out, _ = run(solution, form, q, k, v, 3, 4)
    whole = ordinary(q, k, v)
    assert_close(out[:, :, :7], whole[:, :, :7], scale=4.0)
    check(not bool(torch.isclose(out[:, :, 7:], whole[:, :, 7:], rtol=1e-6, atol=1e-6).all()), "nothing was evicted")


@points(2)
@FORMS
def test_without_sinks(solution, rng, form):
    """With S = 0 only distances matter: this is ordinary attention with rotary embeddings and a window."""
    q, k, v = inputs(rng, 12)
    out, _ = run(solution, form, q, k, v, 0, 5)
    assert_close(out, ordinary(q, k, v, 5), scale=4.0)


@points(2)
@FORMS
def test_repeating_text(solution, rng, form):
    """Once the cache is full and the text repeats every W tokens, outputs must repeat: time does not count, the cache does."""
    sinks, window = 3, 4
    first, period = inputs(rng, sinks), inputs(rng, window)
    q, k, v = (torch.cat([a, *[b] * 4], dim=2) for a, b in zip(first, period, strict=True))
    out, _ = run(solution, form, q, k, v, sinks, window)
    full = out[:, :, sinks + window :]
    for turn in (1, 2):
        later = full[:, :, window * turn : window * (turn + 1)]
        assert_close(later, full[:, :, :window], scale=4.0, name=f"output after {turn} more rounds")


@points(2)
@FORMS
def test_who_has_an_influence(solution, rng, form):
    """A token that has left the cache still counts, or a sink does not; and nobody sees the future."""
    q, k, v = inputs(rng, 12)
    q = 0.2 * q  # so that each token has some weight
    one, _ = run(solution, form, q, k, v, 2, 3)
    for changed, first, last in ((5, 5, 8), (1, 1, 12), (2, 2, 5)):
        other_k, other_v = k.clone(), v.clone()
        other_k[:, :, changed], other_v[:, :, changed] = 2.0, -30.0
        two, _ = run(solution, form, q, other_k, other_v, 2, 3)
        assert_close(two[:, :, :first], one[:, :, :first], name=f"outputs before token {changed}")
        assert_close(two[:, :, last:], one[:, :, last:], name=f"outputs after token {changed} has left")
        moved = (two - one)[:, :, first:last].abs().amax((0, 1, 3))
        check(bool((moved > 1e-3).all()), "a token that is in the cache has no influence")


@points(2)
def test_long_text(solution, rng):
    """Far into a text, steps in float32 differ from the definition: the cache must neither grow nor drift."""
    T = 50
    q, k, v = inputs(rng, T, 1, 2, dtype=F32)
    out, cache = by_steps(solution, q, k, v, 4, 7)
    wanted = expected(*(x[:, :, :].double() for x in (q, k, v)), 4, 7)
    assert_close(out, wanted.float(), scale=4.0)
    expect_cache(cache, k, v, 4, 7)


@points(1)
@FORMS
def test_base(solution, rng, form):
    """The base of the frequencies is an argument; 10000 is only its default."""
    q, k, v = inputs(rng, 8, e=6)
    assert_close(run(solution, form, q, k, v, 2, 3, 50.0)[0], expected(q, k, v, 2, 3, 50.0), scale=4.0)
    assert_close(run(solution, form, q, k, v, 2, 3)[0], expected(q, k, v, 2, 3), scale=4.0, name="output by default")


@points(3)
@FORMS
def test_gradients(solution, rng, form):
    """A gradient differs: it has to reach queries, keys and values, in steps through the cache."""
    tensors = inputs(rng, 9)
    cotangent = rng.randn(2, 3, 9, 5, dtype=F64)
    results = []
    for mine in (True, False):
        leaves = [x.clone().requires_grad_() for x in tensors]
        out = run(solution, form, *leaves, 2, 3)[0] if mine else expected(*leaves, 2, 3)
        check(out.requires_grad, "the output is detached from its inputs")
        results.append(torch.autograd.grad(out, leaves, cotangent, allow_unused=True))
    for name, a, b in zip("qkv", *results, strict=True):
        check(a is not None, f"no gradient reaches {name}")
        assert_close(a, b, scale=16.0, name=f"gradient of {name}")


@points(2)
@FORMS
def test_gradient_of_the_cache(solution, rng, form):
    """The cache belongs to the graph: who is in it has a gradient, and who has left has none."""
    q, k, v = inputs(rng, 8)
    k.requires_grad_(), v.requires_grad_()
    _, cache = run(solution, form, q, k, v, 2, 3)
    inside = torch.zeros(8, dtype=F64)
    inside[kept(7, 2, 3)] = 1.0
    for name, tensor, source in (("keys", cache[0], k), ("values", cache[1], v)):
        check(tensor.requires_grad, f"the cached {name} are detached")
        weight = rng.randn(*tensor.shape, dtype=F64)
        (gradient,) = torch.autograd.grad(tensor, source, weight, retain_graph=True)
        wanted = torch.zeros_like(source).index_copy(2, torch.tensor(kept(7, 2, 3)), weight)
        assert_close(gradient, wanted, name=f"gradient through the {name}")


@points(2)
def test_branches(solution, rng):
    """Two continuations of one cache must not see each other, and a cache may be reordered along the batch."""
    q, k, v = inputs(rng, 6)
    _, cache = by_steps(solution, q, k, v, 2, 3)
    order = torch.tensor([1, 1])
    for begin in (cache, cache, tuple(x[order] for x in cache)):
        old = (q, k, v) if begin is cache else tuple(x[order] for x in (q, k, v))
        more = inputs(rng, 3)
        out, grown = by_steps(solution, *more, 2, 3, cache=begin)
        whole = [torch.cat([a, b], dim=2) for a, b in zip(old, more, strict=True)]
        assert_close(out, expected(*whole, 2, 3)[:, :, 6:], scale=4.0, name="output of a continuation")
        expect_cache(grown, *whole[1:], 2, 3)


@points(1)
@FORMS
def test_large_scores(solution, rng, form):
    """Scores in the thousands must not overflow: the exponential of such a score is infinite."""
    q, k, v = inputs(rng, 9)
    q, k = 60 * q, 60 * k
    out, _ = run(solution, form, q, k, v, 2, 3)
    assert_close(out, expected(q, k, v, 2, 3), scale=64.0)


@points(1)
def test_layouts_and_arguments(solution, rng):
    """Transposed inputs are tensors like any other, and no argument may be changed, the cache included."""
    q, k, v = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in inputs(rng, 8))
    wanted = expected(q, k, v, 2, 3)
    for form in ("prefill", "step"):
        out, cache = run(solution, form, q, k, v, 2, 3)
        assert_close(out, wanted, scale=4.0, name=f"{form}: output")
    assert_not_mutated(solution.step, q[:, :, 0], k[:, :, 0], v[:, :, 0], cache, 2, 3)
    assert_not_mutated(solution.prefill, q, k, v, 2, 3)


@points(1)
@FORMS
@pytest.mark.parametrize(("sinks", "window"), [(-1, 4), (2, 0)])
def test_errors(solution, rng, sinks, window, form):
    """A negative number of sinks, or a window without a token, is a ValueError."""
    with pytest.raises(ValueError):
        run(solution, form, *inputs(rng, 1), sinks, window)
