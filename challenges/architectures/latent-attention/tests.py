"""Hidden tests: multi-head latent attention."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_state_dict_round_trip,
    attested,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
PARTS = ("q_proj", "kv_down", "k_up", "v_up", "out_proj")
SIZES = (11, 3, 5, 7, 2)  # d_model, H, e, c, r
FORMS = pytest.mark.parametrize("absorbed", [False, True], ids=["expanded", "absorbed"])


def shapes(d, H, e, c, r):
    return dict(zip(PARTS, ((H * (e + r), d), (c + r, d), (H * e, c), (H * e, c), (d, H * e)), strict=True))


def weights_for(rng, sizes=SIZES, dtype=F64):
    """A state dict of moderate random weights."""
    return {
        f"{part}.weight": 1.5 * rng.randn(*shape, dtype=dtype) / shape[1] ** 0.5
        for part, shape in shapes(*sizes).items()
    }


def build(solution, state, sizes=SIZES):
    module = solution.LatentAttention(*sizes)
    if state["q_proj.weight"].dtype is not F32:
        module.to(state["q_proj.weight"].dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def rotated(x, positions):
    """Pairs of features as complex numbers; x (..., n, r), positions (n,)."""
    half = x.shape[-1] // 2
    angle = positions.double()[:, None] * 10000.0 ** (-torch.arange(half, dtype=F64) / half)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def expected(state, x, cache=None, sizes=SIZES):
    """Head by head from the formula, with all keys and values."""
    _, H, e, c, r = sizes
    W = {name.removesuffix(".weight"): value for name, value in state.items()}
    past, T = 0 if cache is None else cache[0].shape[1], x.shape[1]
    at = torch.arange(past, past + T)
    down = x @ W["kv_down"].T
    z, key = down[..., :c], rotated(down[..., c:], at)
    if cache is not None:
        z, key = torch.cat([cache[0], z], 1), torch.cat([cache[1], key], 1)
    heads = []
    for h in range(H):
        q = x @ W["q_proj"][h * (e + r) : (h + 1) * (e + r)].T
        k, v = (z @ W[part][h * e : (h + 1) * e].T for part in ("k_up", "v_up"))
        scores = (q[..., :e] @ k.mT + rotated(q[..., e:], at) @ key.mT) / math.sqrt(e + r)
        scores = scores.masked_fill(torch.arange(past + T) > at[:, None], -math.inf)
        heads.append(scores.softmax(-1) @ v)
    return torch.cat(heads, -1) @ W["out_proj"].T, (z, key)


def called(module, x, cache=None, absorbed=False):
    """(out, (latents, keys)), once it is sure that this is what came back."""
    result = module(x, cache, absorbed)
    right = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], tuple) and len(result[1]) == 2
    check(right, "the result must be a pair: the output, and the pair (latents, keys)")
    return result


def in_pieces(module, x, pieces, cache=None):
    """The outputs of a sequence that is fed in pieces of (length, absorbed), in one tensor, and the last cache."""
    outs, start = [], 0
    for length, absorbed in pieces:
        out, cache = called(module, x[:, start : start + length], cache, absorbed)
        check(isinstance(out, torch.Tensor) and out.shape == (x.shape[0], length, x.shape[2]), "output: wrong shape")
        outs.append(out)
        start += length
    return torch.cat(outs, dim=1), cache


def same(found, wanted, scale=4.0):
    assert_close(found[0].detach(), wanted[0].detach(), scale=scale, name="output")
    for name, a, b in zip(("latents", "keys"), found[1], wanted[1], strict=True):
        check(isinstance(a, torch.Tensor), f"{name}: a tensor expected")
        assert_close(a.detach(), b.detach(), scale=scale, name=f"cached {name}")


@sample
@points(1)
def test_rotary_part_by_hand(solution):
    """With content scores of 0 and rotary keys that are all alike, scores are the cosines of distances, divided by √3."""
    state = {
        "q_proj.weight": torch.tensor([[0.0, 0], [1, 0], [0, 0]]),
        "kv_down.weight": torch.tensor([[0.0, 1], [1, 0], [0, 0]]),
        "k_up.weight": torch.ones(1, 1),
        "v_up.weight": torch.full((1, 1), 2.0),
        "out_proj.weight": torch.tensor([[1.0], [0.0]]),
    }
    module = build(solution, state, (2, 1, 1, 1, 2))
    x = torch.tensor([[[1.0, 5.0], [1.0, 0.0], [1.0, 3.0]]])
    weights = torch.softmax(torch.arange(2.0, -1.0, -1.0).cos() / math.sqrt(3.0), 0)
    for absorbed in (False, True):
        out, _ = called(module, x, None, absorbed)
        assert_close(out[0, 2, 0].detach(), 10 * weights[0] + 6 * weights[2], name="output of the last token")


@sample
@points(1)
def test_what_is_cached(solution, rng):
    """The cache holds c + r numbers for each token: the latent as it is, and the rotary key, rotated by its position."""
    state = weights_for(rng)
    x = rng.randn(2, 4, 11, dtype=F64)
    down = x @ state["kv_down.weight"].T
    _, (latents, keys) = in_pieces(build(solution, state), x, [(3, False), (1, True)])
    assert_close(latents.detach(), down[..., :7], name="latents")
    assert_close(keys.detach(), rotated(down[..., 7:], torch.arange(4)), name="keys")


@sample
@points(1)
def test_forms_agree(solution, rng):
    """The absorbed form gives what the expanded one gives."""
    module = build(solution, weights_for(rng))
    x = rng.randn(2, 5, 11, dtype=F64)
    same(called(module, x, None, True), called(module, x, None, False))


@sample
@points(1)
def test_rotary_features_come_in_pairs(solution):
    """An odd number of rotary features is a ValueError."""
    with pytest.raises(ValueError):
        solution.LatentAttention(8, 2, 4, 3, 5)


CASES = {  # S, T, sizes, dtype
    "no-cache": (None, 5, SIZES, F64),
    "one-new-token": (6, 1, SIZES, F32),
    "several-new-tokens": (3, 4, (5, 2, 3, 11, 4), F64),
    "first-token": (None, 1, (7, 5, 1, 3, 6), F32),
    "one-head": (4, 2, (3, 1, 7, 2, 2), F64),
}


@points(3)
@FORMS
@pytest.mark.parametrize("name", CASES)
def test_values(solution, rng, name, absorbed):
    """Output or cache differ from the formula: rows of the weights, scale, positions, or who may see whom."""
    S, T, sizes, dtype = CASES[name]
    state = weights_for(rng, sizes, dtype)
    x = rng.randn(2, T, sizes[0], dtype=dtype)
    cache = None if S is None else (rng.randn(2, S, sizes[3], dtype=dtype), rng.randn(2, S, sizes[4], dtype=dtype))
    same(called(build(solution, state, sizes), x, cache, absorbed), expected(state, x, cache, sizes))


PIECES = {
    "token-by-token": [(1, True)] * 6,
    "prompt-then-tokens": [(4, False), (1, True), (1, True)],
    "absorbed-then-expanded": [(2, True), (3, False), (1, False)],
}


@points(3)
@pytest.mark.parametrize("name", PIECES)
def test_pieces(solution, rng, name):
    """Fed in pieces, in one form or in both, some position differs from one pass."""
    state = weights_for(rng, (5, 3, 2, 7, 4))
    module = build(solution, state, (5, 3, 2, 7, 4))
    x = rng.randn(2, 6, 5, dtype=F64)
    out, cache = in_pieces(module, x, PIECES[name])
    whole, (latents, keys) = expected(state, x, None, (5, 3, 2, 7, 4))
    for t in range(6):
        assert_close(out[:, t].detach(), whole[:, t], scale=4.0, name=f"output at position {t}")
    same((out, cache), (whole, (latents, keys)))


@points(3)
@pytest.mark.parametrize(
    "pieces",
    [[(5, False)], [(5, True)], [(3, False), (2, True)], [(2, True), (1, False), (2, True)]],
    ids=["expanded", "absorbed", "prompt-then-absorbed", "mixed"],
)
def test_gradients(solution, rng, pieces):
    """A gradient of x, of the cache or of a parameter is off: both forms have the same, also through the cache."""
    state = weights_for(rng)
    module = build(solution, state)
    x, begin = rng.randn(2, 5, 11, dtype=F64), (rng.randn(2, 2, 7, dtype=F64), rng.randn(2, 2, 2, dtype=F64))
    cotangents = rng.randn(2, 5, 11, dtype=F64), rng.randn(2, 7, 7, dtype=F64), rng.randn(2, 7, 2, dtype=F64)
    names = [f"{part}.weight" for part in PARTS]
    mine = [z.clone().requires_grad_() for z in (x, *begin)]
    out, cache = in_pieces(module, mine[0], pieces, tuple(mine[1:]))
    check(out.requires_grad and all(z.requires_grad for z in cache), "output or cache are detached from their inputs")
    mine += [dict(module.named_parameters())[name] for name in names]
    found = torch.autograd.grad([out, *cache], mine, cotangents, allow_unused=True)
    leaves = [z.clone().requires_grad_() for z in (x, *begin, *(state[name] for name in names))]
    whole, (latents, keys) = expected(dict(zip(names, leaves[3:], strict=True)), leaves[0], tuple(leaves[1:3]))
    wanted = torch.autograd.grad([whole, latents, keys], leaves, cotangents)
    for name, a, b in zip(("x", "latents", "keys", *names), found, wanted, strict=True):
        check(a is not None, f"no gradient reaches {name}")
        assert_close(a, b, scale=16.0, name=f"gradient of {name}")


@points(2)
@FORMS
def test_basis_of_the_latent(solution, rng, absorbed):
    """In another basis of the latent space, with all three matrices to match, outputs must stay what they are."""
    state = weights_for(rng)
    x = rng.randn(2, 5, 11, dtype=F64)
    basis = torch.eye(7, dtype=F64) + 0.3 * torch.linalg.qr(rng.randn(7, 7, dtype=F64)).Q
    other = dict(state)
    down = state["kv_down.weight"]
    other["kv_down.weight"] = torch.cat([torch.linalg.solve(basis, down[:7]), down[7:]])
    other["k_up.weight"], other["v_up.weight"] = state["k_up.weight"] @ basis, state["v_up.weight"] @ basis
    one = called(build(solution, state), x, None, absorbed)[0]
    assert_close(called(build(solution, other), x, None, absorbed)[0].detach(), one.detach(), scale=16.0)


@points(2)
@FORMS
def test_order_without_the_rotary_part(solution, rng, absorbed):
    """Without rotary queries there are no positions: a cache in another order gives the same output."""
    state = weights_for(rng)
    q = state["q_proj.weight"].view(3, 7, 11)
    q[:, 5:] = 0.0
    module = build(solution, state)
    x, cache = rng.randn(2, 1, 11, dtype=F64), (rng.randn(2, 6, 7, dtype=F64), rng.randn(2, 6, 2, dtype=F64))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    one = called(module, x, cache, absorbed)[0]
    assert_close(called(module, x, tuple(z[:, order] for z in cache), absorbed)[0].detach(), one.detach(), scale=4.0)


@points(2)
@FORMS
def test_the_future_does_not_leak(solution, rng, absorbed):
    """Changing later tokens of a piece must not move earlier outputs."""
    module = build(solution, weights_for(rng))
    x = rng.randn(1, 6, 11, dtype=F64)
    other = x.clone()
    other[:, 4:] = 10 * rng.randn(1, 2, 11, dtype=F64)
    _, cache = called(module, x[:, :2])
    before, after = (called(module, z[:, 2:], cache, absorbed)[0].detach() for z in (x, other))
    assert_close(after[:, :2], before[:, :2], name="outputs before the change")


@points(2)
@attested
def test_absorbed_is_small(solution, attest, rng):
    """absorbed=True made a tensor as large as the keys of all heads: neither they nor latents for each head are needed."""
    _, H, e, c, r = SIZES
    S = 200
    module = build(solution, weights_for(rng, dtype=F32))
    cache = rng.randn(1, S, c), rng.randn(1, S, r)
    seen = attest(module, rng.randn(1, 1, 11), cache, True)
    check(seen.largest_numel < H * S * e, "an operator produced B·H·S·e elements or more")


@points(1)
@attested
def test_expanded_is_expanded(solution, attest, rng):
    """absorbed=False made queries as long as the latents: for long prompts, that is the expensive form."""
    sizes = (6, 3, 4, 101, 2)
    module = build(solution, weights_for(rng, sizes, F32), sizes)
    seen = attest(module, rng.randn(1, 17, 6))
    check(seen.largest_numel < 17 * 3 * 101, "an operator produced B·T·H·c elements or more")


@points(2)
def test_branches(solution, rng):
    """Two continuations of one cache must not see each other, and nothing is remembered from one call to the next."""
    state = weights_for(rng)
    module = build(solution, state)
    prompt, first, second = (rng.randn(2, T, 11, dtype=F64) for T in (3, 2, 2))
    _, cache = called(module, prompt)
    for x, absorbed in ((first, True), (second, False), (first, False)):
        wanted, (latents, keys) = expected(state, torch.cat([prompt, x], 1))
        same(called(module, x, cache, absorbed), (wanted[:, 3:], (latents, keys)))
    same(called(module, prompt), expected(state, prompt))
    order = torch.tensor([1, 1])
    found = called(module, first, tuple(z[order] for z in cache), True)
    wanted, after = expected(state, torch.cat([prompt[order], first], 1))
    same(found, (wanted[:, 3:], after))


@points(1)
@FORMS
def test_empty_cache(solution, rng, absorbed):
    """A cache without tokens (S = 0) is the same as no cache."""
    state = weights_for(rng)
    x = rng.randn(2, 3, 11, dtype=F64)
    cache = torch.zeros(2, 0, 7, dtype=F64), torch.zeros(2, 0, 2, dtype=F64)
    same(called(build(solution, state), x, cache, absorbed), expected(state, x))


@points(1)
@FORMS
def test_large_scores(solution, rng, absorbed):
    """Scores of some thousands must not overflow: the exponential of such a score is infinite."""
    state = weights_for(rng)
    x = 60 * rng.randn(1, 4, 11, dtype=F64)
    assert_close(called(build(solution, state), x, None, absorbed)[0].detach(), expected(state, x)[0], scale=64.0)


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed tokens and an expanded cache are ordinary inputs: do not assume contiguous memory."""
    state = weights_for(rng)
    x = rng.randn(4, 2, 11, dtype=F64).transpose(0, 1)
    cache = rng.randn(1, 3, 7, dtype=F64).expand(2, 3, 7), rng.randn(2, 2, 3, dtype=F64).mT
    for absorbed in (False, True):
        same(called(build(solution, state), x, cache, absorbed), expected(state, x, cache))


@points(1)
def test_inputs_are_left_alone(solution, rng):
    """x or the cache was modified: in-place operations belong on tensors that you made yourself."""
    module = build(solution, weights_for(rng, dtype=F32))
    for absorbed in (False, True):
        assert_not_mutated(module, rng.randn(1, 2, 11), (rng.randn(1, 3, 7), rng.randn(1, 3, 2)), absorbed)


@points(1)
def test_state_and_mode(solution, rng):
    """The state dict holds the five weights and nothing else, travels, and the mode makes no difference."""
    state = solution.LatentAttention(*SIZES).state_dict()
    wanted = {f"{part}.weight": shape for part, shape in shapes(*SIZES).items()}
    check({name: tuple(value.shape) for name, value in state.items()} == wanted, "names or shapes are not as stated")
    assert_state_dict_round_trip(lambda: solution.LatentAttention(*SIZES), rng.randn(2, 3, 11))
    assert_ignores_mode(build(solution, weights_for(rng, dtype=F32)), rng.randn(2, 3, 11))
