"""Hidden tests: causal attention with a key/value cache."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")
F32, F64 = torch.float32, torch.float64


def weights_for(rng, d_model, dtype=F32):
    """A state dict of moderate random weights."""
    state = {f"{part}.weight": rng.randn(d_model, d_model, dtype=dtype) / d_model**0.5 for part in PARTS}
    return state | {f"{part}.bias": 0.5 * rng.randn(d_model, dtype=dtype) for part in PARTS}


def build(source, num_heads, state):
    """A module of `source` that holds `state`, in its dtype."""
    weight = state["q_proj.weight"]
    module = source.CachedAttention(len(weight), num_heads)
    if weight.dtype is not F32:
        module.to(weight.dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def pair(solution, reference, rng, d_model, num_heads, dtype=F32):
    """The answer's module and the reference's, with equal random weights."""
    state = weights_for(rng, d_model, dtype)
    return build(solution, num_heads, state), build(reference, num_heads, state)


def called(module, x, cache=None):
    """(out, (keys, values)), once it is sure that this is what came back."""
    result = module(x) if cache is None else module(x, cache)
    right = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], tuple) and len(result[1]) == 2
    check(right, "the result must be a tuple: the output, and the tuple (keys, values)")
    return result


def in_pieces(module, x, lengths, cache=None):
    """The outputs of a sequence that is fed in pieces, in one tensor, and the last cache."""
    outs, start = [], 0
    for length in lengths:
        out, cache = called(module, x[:, start : start + length], cache)
        check(isinstance(out, torch.Tensor) and out.shape == (x.shape[0], length, x.shape[2]), "output: wrong shape")
        outs.append(out)
        start += length
    return torch.cat(outs, dim=1), cache


@sample
@points(2)
def test_token_by_token(solution, rng):
    """Fed token by token, some position gets another output than in one causal pass: which keys does the newest token see?"""
    module = build(solution, 2, weights_for(rng, 8))
    x = rng.randn(2, 5, 8)
    whole, _ = called(module, x)
    check(whole.shape == x.shape, "output: the shape is wrong")
    steps, _ = in_pieces(module, x, [1] * 5)
    for t in range(5):
        assert_close(steps[:, t].detach(), whole[:, t].detach(), name=f"output at position {t}")


@sample
@points(2)
def test_agrees_with_loops(solution, rng, exhibit):
    """Values differ from causal attention written with loops: the scale, the heads, or who may see whom."""
    B, T, d, H, e = 1, 4, 6, 3, 2
    state = weights_for(rng, d)
    x = rng.randn(B, T, d)
    q, k, v = (x @ state[f"{p}.weight"].T + state[f"{p}.bias"] for p in PARTS[:3])
    merged = torch.zeros(B, T, d)
    for h in range(H):
        part = slice(h * e, (h + 1) * e)
        for t in range(T):
            weights = torch.softmax(k[0, : t + 1, part] @ q[0, t, part] / math.sqrt(e), dim=0)
            merged[0, t, part] = weights @ v[0, : t + 1, part]
    expected = merged @ state["out_proj.weight"].T + state["out_proj.bias"]
    actual, _ = called(build(solution, H, state), x)
    exhibit.difference("three heads over four tokens", actual.detach(), expected)
    assert_close(actual.detach(), expected)


@sample
def test_what_the_cache_holds(solution, rng):
    """The cache holds the plain projections, cut into heads: (B, H, S, e), oldest token first."""
    state = weights_for(rng, 6)
    module = build(solution, 3, state)
    x = rng.randn(2, 4, 6)
    _, cache = in_pieces(module, x, [3, 1])
    for name, part, actual in zip(("keys", "values"), PARTS[1:3], cache, strict=True):
        expected = (x @ state[f"{part}.weight"].T + state[f"{part}.bias"]).view(2, 4, 3, 2).transpose(1, 2)
        assert_close(actual.detach(), expected, name=name)


@sample
def test_heads_must_divide_the_width(solution):
    """A width that the heads do not divide is a ValueError."""
    with pytest.raises(ValueError):
        solution.CachedAttention(8, 3)


SIZES = {  # B, S, T, d_model, num_heads, dtype
    "no-cache": (2, None, 5, 8, 2, F64),
    "one-new-token": (2, 6, 1, 8, 4, F32),
    "several-new-tokens": (1, 3, 4, 6, 2, F64),
    "more-new-than-old": (2, 2, 5, 4, 1, F32),
    "one-feature-per-head": (3, 4, 2, 4, 4, F64),
    "first-token": (1, None, 1, 6, 3, F32),
}


@points(2)
@pytest.mark.parametrize("name", SIZES)
def test_values(solution, reference, rng, name):
    """Output or cache differ from the reference: new token t sees the whole cache and t + 1 tokens of x."""
    B, S, T, d, H, dtype = SIZES[name]
    mine, theirs = pair(solution, reference, rng, d, H, dtype)
    x = rng.randn(B, T, d, dtype=dtype)
    cache = None if S is None else (rng.randn(B, H, S, d // H, dtype=dtype), rng.randn(B, H, S, d // H, dtype=dtype))
    actual, expected = called(mine, x, cache), called(theirs, x, cache)
    assert_close(actual[0], expected[0])
    assert_close(actual[1][0], expected[1][0], name="keys")
    assert_close(actual[1][1], expected[1][1], name="values")


@points(3)
@pytest.mark.parametrize(
    "lengths", [(3, 1, 1), (1, 4), (2, 3)], ids=["prompt-then-tokens", "token-then-piece", "two-pieces"]
)
def test_pieces(solution, rng, lengths):
    """Fed in pieces, some position differs from one pass: inside a piece the future is hidden too, and the cache never is."""
    module = build(solution, 2, weights_for(rng, 8, F64))
    x = rng.randn(2, 5, 8, dtype=F64)
    whole, cache = called(module, x)
    steps, grown = in_pieces(module, x, lengths)
    check(whole.shape == x.shape, "output: the shape is wrong")
    for t in range(5):
        assert_close(steps[:, t].detach(), whole[:, t].detach(), name=f"output at position {t}")
    assert_close(grown[0].detach(), cache[0].detach(), name="keys")
    assert_close(grown[1].detach(), cache[1].detach(), name="values")


def all_gradients(module, x, lengths, cotangent):
    """Gradients of x and of the parameters of a sequence fed in pieces."""
    x = x.clone().requires_grad_()
    out, _ = in_pieces(module, x, lengths)
    check(out.requires_grad, "the output is detached from its inputs")
    wanted = {"x": x, **dict(module.named_parameters())}
    found = torch.autograd.grad(out, list(wanted.values()), cotangent, allow_unused=True)
    return {n: torch.zeros_like(t) if g is None else g for (n, t), g in zip(wanted.items(), found, strict=True)}


@points(3)
@pytest.mark.parametrize("lengths", [(4,), (2, 2), (3, 1)], ids=["one-pass", "two-pieces", "prompt-and-token"])
def test_gradients(solution, reference, rng, lengths):
    """A gradient of x or of a parameter is off: it has to flow back through the cache to the tokens that filled it."""
    mine, theirs = pair(solution, reference, rng, 6, 2, F64)
    x, cotangent = rng.randn(2, 4, 6, dtype=F64), rng.randn(2, 4, 6, dtype=F64)
    actual = all_gradients(mine, x, lengths, cotangent)
    expected = all_gradients(theirs, x, lengths, cotangent)
    check(set(actual) == set(expected), "the parameters do not have the names of the statement")
    for name, gradient in expected.items():
        # a key bias shifts all scores of a row alike, so its gradient is zero up to rounding
        atol = 1e-9 if name == "k_proj.bias" else None
        assert_close(actual[name], gradient, scale=4.0, atol=atol, name=f"gradient of {name}")


@points(2)
def test_the_future_does_not_leak(solution, rng):
    """Changing later tokens of a piece must not move earlier outputs."""
    module = build(solution, 2, weights_for(rng, 8))
    x = rng.randn(1, 6, 8)
    other = x.clone()
    other[:, 4:] = 10 * rng.randn(1, 2, 8)
    _, cache = called(module, x[:, :2])
    before, after = called(module, x[:, 2:], cache)[0], called(module, other[:, 2:], cache)[0]
    check(before.shape == after.shape == (1, 4, 8), "output: the shape is wrong")
    assert_close(after[:, :2].detach(), before[:, :2].detach(), name="outputs before the change")


@points(3)
def test_branches(solution, reference, rng):
    """Two continuations of one cache must not see each other: the old cache stays what it was, in values and in length."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    prompt, first, second = rng.randn(1, 3, 8), rng.randn(1, 2, 8), rng.randn(1, 2, 8)
    results = []
    for module in (mine, theirs):
        _, cache = called(module, prompt)
        one = called(module, first, cache)
        two = called(module, second, cache)
        again = called(module, second, one[1])
        results.append([one, two, again, cache])
    assert_close(*results, name="results of the branches")


@points(2)
def test_reordered_batch(solution, reference, rng):
    """A cache may be reordered or repeated along the batch, as beam search does: only its content decides."""
    mine, theirs = pair(solution, reference, rng, 6, 3)
    prompt, x, order = rng.randn(3, 4, 6), rng.randn(3, 1, 6), torch.tensor([2, 0, 0])
    outs = []
    for module in (mine, theirs):
        _, (keys, values) = called(module, prompt)
        outs.append(called(module, x, (keys[order], values[order]))[0])
    assert_close(*outs)


@points(1)
def test_none_starts_afresh(solution, reference, rng):
    """Without a cache every call starts a new sequence, whatever was fed before."""
    mine, theirs = pair(solution, reference, rng, 8, 2)
    x = rng.randn(1, 3, 8)
    first = called(mine, x)
    called(mine, rng.randn(2, 4, 8))
    called(mine, rng.randn(1, 2, 8), first[1])
    assert_close(called(mine, x), called(theirs, x), name="result of a new sequence")


@points(1)
def test_empty_cache(solution, reference, rng):
    """A cache without tokens (S = 0) is the same as no cache."""
    mine, theirs = pair(solution, reference, rng, 8, 4)
    x = rng.randn(2, 3, 8)
    assert_close(called(mine, x, (torch.zeros(2, 4, 0, 2), torch.zeros(2, 4, 0, 2))), called(theirs, x))


@points(1)
def test_large_scores(solution, reference, rng):
    """Scores of some thousands must not overflow: softmax has to be shifted row by row."""
    mine, theirs = pair(solution, reference, rng, 4, 2, F64)
    x = 100 * rng.randn(1, 2, 4, dtype=F64)
    cache = (100 * rng.randn(1, 2, 3, 2, dtype=F64), rng.randn(1, 2, 3, 2, dtype=F64))
    assert_close(called(mine, x, cache)[0], called(theirs, x, cache)[0])


@points(1)
def test_strided_inputs(solution, reference, rng):
    """Transposed tokens and an expanded cache are ordinary inputs: do not assume contiguous memory."""
    mine, theirs = pair(solution, reference, rng, 6, 2, F64)
    x = rng.randn(3, 2, 6, dtype=F64).transpose(0, 1)
    cache = (rng.randn(1, 2, 4, 3, dtype=F64).expand(2, 2, 4, 3), rng.randn(2, 4, 2, 3, dtype=F64).transpose(1, 2))
    assert_close(called(mine, x, cache), called(theirs, x, cache), name="results")


@points(1)
def test_inputs_are_left_alone(solution, rng):
    """x or the cache was modified: in-place operations belong on tensors that you made yourself."""
    module = build(solution, 2, weights_for(rng, 8))
    assert_not_mutated(module, rng.randn(1, 2, 8), (rng.randn(1, 2, 3, 4), rng.randn(1, 2, 3, 4)))


@points(1)
def test_state_and_mode(solution, rng):
    """The state dict holds the eight parameters and nothing else, travels, and the mode makes no difference."""
    state = solution.CachedAttention(6, 2).state_dict()
    expected = {f"{p}.weight": (6, 6) for p in PARTS} | {f"{p}.bias": (6,) for p in PARTS}
    check({name: tuple(value.shape) for name, value in state.items()} == expected, "names or shapes are not as stated")
    assert_state_dict_round_trip(lambda: solution.CachedAttention(6, 2), rng.randn(2, 3, 6))
    assert_ignores_mode(build(solution, 2, weights_for(rng, 6)), rng.randn(2, 3, 6))


@points(1)
def test_gradients_in_eval_mode(solution, reference, rng):
    """Evaluation mode is no reason to cut the graph: gradients flow through the cache as in training."""
    mine, theirs = pair(solution, reference, rng, 6, 2, F64)
    mine.eval()
    x, cotangent = rng.randn(2, 4, 6, dtype=F64), rng.randn(2, 4, 6, dtype=F64)
    actual, expected = (all_gradients(module, x, (2, 2), cotangent) for module in (mine, theirs))
    assert_close(actual["x"], expected["x"], scale=4.0, name="gradient of x")
    assert_close(actual["v_proj.weight"], expected["v_proj.weight"], scale=4.0, name="gradient of v_proj.weight")
