"""Hidden tests: the attention layer of GPT-2."""

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

F32, F64 = torch.float32, torch.float64


def weights_for(rng, width, dtype=F64):
    return {
        "qkv.weight": rng.randn(3 * width, width, dtype=dtype) / width**0.5,
        "qkv.bias": 0.5 * rng.randn(3 * width, dtype=dtype),
        "out.weight": rng.randn(width, width, dtype=dtype) / width**0.5,
        "out.bias": 0.5 * rng.randn(width, dtype=dtype),
    }


def built(solution, heads, state):
    width = len(state["out.weight"])
    layer = solution.CausalSelfAttention(width, heads)
    shapes = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    check(
        shapes == {name: tuple(value.shape) for name, value in state.items()}, "state_dict() has other names or shapes"
    )
    if state["out.weight"].dtype is F64:
        layer.to(F64)
    layer.load_state_dict({name: value.clone() for name, value in state.items()})
    return layer


def expected(state, heads, x):
    """Every head and every token in a loop."""
    width = x.shape[-1]
    e = width // heads
    features = x @ state["qkv.weight"].T + state["qkv.bias"]
    q, k, v = features.split(width, dim=-1)
    rows = []
    for t in range(x.shape[1]):
        parts = []
        for h in range(heads):
            own = slice(h * e, (h + 1) * e)
            scores = (k[:, : t + 1, own] * q[:, t : t + 1, own]).sum(-1) / math.sqrt(e)
            parts.append((scores.softmax(-1)[..., None] * v[:, : t + 1, own]).sum(1))
        rows.append(torch.cat(parts, dim=-1))
    return torch.stack(rows, dim=1) @ state["out.weight"].T + state["out.bias"]


@sample
@points(1)
def test_means_of_the_past(solution):
    """With queries and keys at zero all scores are equal: each token gets the mean of the values so far."""
    state = {
        "qkv.weight": torch.cat([torch.zeros(4, 2), torch.eye(2)]),
        "qkv.bias": torch.zeros(6),
        "out.weight": torch.eye(2),
        "out.bias": torch.zeros(2),
    }
    found = built(solution, 1, state)(torch.tensor([[[2.0, 0.0], [4.0, 6.0], [0.0, 3.0]]]))
    assert_close(found.detach(), torch.tensor([[[2.0, 0.0], [3.0, 3.0], [2.0, 3.0]]]))


@sample
@points(1)
def test_two_heads_by_loops(solution, rng, exhibit):
    """Two heads over four tokens, against loops: the order of the thirds, the heads, the scale."""
    state, x = weights_for(rng, 6, F32), rng.randn(1, 4, 6)
    found = built(solution, 2, state)(x).detach()
    exhibit.difference("two heads over four tokens", found, expected(state, 2, x))
    assert_close(found, expected(state, 2, x))


@sample
@points(1)
def test_heads_must_divide_the_width(solution):
    """Heads that do not divide the width are a ValueError."""
    with pytest.raises(ValueError):
        solution.CausalSelfAttention(8, 3)


SIZES = {  # B, T, width, heads, dtype
    "one-token": (2, 1, 6, 3, F64),
    "one-head": (2, 5, 3, 1, F64),
    "one-feature-per-head": (3, 4, 5, 5, F32),
    "more-tokens": (1, 11, 6, 2, F64),
    "wide": (2, 3, 12, 4, F32),
}


@points(2)
@pytest.mark.parametrize("name", SIZES)
def test_values(solution, rng, name):
    """The values differ from the formula of the statement."""
    B, T, width, heads, dtype = SIZES[name]
    state, x = weights_for(rng, width, dtype), rng.randn(B, T, width, dtype=dtype)
    assert_close(built(solution, heads, state)(x).detach(), expected(state, heads, x), scale=2.0)


@points(3)
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_gradients(solution, rng, heads):
    """A gradient of x or of a parameter differs: is something cut off on the way?"""
    state, x = weights_for(rng, 6), rng.randn(2, 4, 6, dtype=F64)
    cotangent = rng.randn(2, 4, 6, dtype=F64)
    layer = built(solution, heads, state)
    named = dict(layer.named_parameters())
    check(set(named) == set(state), "all four entries of the state must be parameters")
    mine = x.clone().requires_grad_()
    out = layer(mine)
    check(out.requires_grad, "the result is detached from its inputs")
    found = dict(zip(["x", *named], torch.autograd.grad(out, [mine, *named.values()], cotangent), strict=True))
    leaves = {name: value.clone().requires_grad_() for name, value in {"x": x, **state}.items()}
    wanted = torch.autograd.grad(expected(leaves, heads, leaves["x"]), list(leaves.values()), cotangent)
    for (name, _), gradient in zip(leaves.items(), wanted, strict=True):
        # a key bias shifts all scores of a row alike, so its part of the gradient is zero up to rounding
        atol = 1e-9 if name == "qkv.bias" else None
        assert_close(found[name], gradient, scale=4.0, atol=atol, name=f"gradient of {name}")


@points(3)
@pytest.mark.parametrize("changed", [1, 3, 5])
def test_the_future_does_not_leak(solution, rng, changed):
    """Changing a token must not move the outputs before it."""
    layer = built(solution, 2, weights_for(rng, 8))
    x = rng.randn(2, 6, 8, dtype=F64)
    other = x.clone()
    other[:, changed:] = 10 * rng.randn(2, 6 - changed, 8, dtype=F64)
    before, after = layer(x).detach(), layer(other).detach()
    check(before.shape == after.shape == x.shape, "the shape of the result is not that of x")
    assert_close(after[:, :changed], before[:, :changed], rtol=1e-9, atol=1e-9, name="outputs before the change")
    check(not torch.allclose(after[:, changed:], before[:, changed:]), "a token must see itself")


@points(2)
def test_gradients_of_the_past_only(solution, rng):
    """The output of a token has no gradient to later tokens, and one to itself and to each token before it."""
    layer = built(solution, 2, weights_for(rng, 6))
    x = rng.randn(1, 5, 6, dtype=F64).requires_grad_()
    (grad,) = torch.autograd.grad(layer(x)[:, 2].sum(), x)
    reached = grad[0].abs().amax(-1) > 0
    check(reached.tolist() == [True, True, True, False, False], "token 2 must depend on tokens 0, 1 and 2 only")


@points(2)
def test_equal_keys(solution, rng):
    """Where all keys are equal, each head gives the mean of the values so far, whatever the queries are."""
    state = weights_for(rng, 6)
    state["qkv.weight"][6:12] = 0
    x = rng.randn(2, 5, 6, dtype=F64)
    values = x @ state["qkv.weight"][12:].T + state["qkv.bias"][12:]
    means = values.cumsum(1) / torch.arange(1, 6, dtype=F64)[:, None]
    wanted = means @ state["out.weight"].T + state["out.bias"]
    assert_close(built(solution, 3, state)(x).detach(), wanted, scale=2.0)


@points(1)
def test_a_long_text(solution):
    """A text of 1,500 tokens: the length has no bound, so a mask of a fixed size is not enough."""
    state = {
        "qkv.weight": torch.cat([torch.zeros(4, 2), torch.eye(2)]).double(),
        "qkv.bias": torch.zeros(6, dtype=F64),
        "out.weight": torch.eye(2, dtype=F64),
        "out.bias": torch.zeros(2, dtype=F64),
    }
    x = torch.arange(3000, dtype=F64).view(1, 1500, 2) / 1000
    found = built(solution, 1, state)(x).detach()
    assert_close(found, x.cumsum(1) / torch.arange(1, 1501, dtype=F64)[:, None], scale=4.0)


@points(1)
def test_batches_do_not_mix(solution, rng):
    """A sequence gives the same alone and in a batch."""
    layer = built(solution, 2, weights_for(rng, 4))
    x = rng.randn(3, 4, 4, dtype=F64)
    assert_close(layer(x).detach()[1:2], layer(x[1:2]).detach(), rtol=1e-9, atol=1e-9)


@points(1)
def test_large_scores(solution, rng):
    """Scores of some thousands must not overflow."""
    state, x = weights_for(rng, 4), 100 * rng.randn(1, 5, 4, dtype=F64)
    assert_close(built(solution, 2, state)(x).detach(), expected(state, 2, x), scale=4.0)


@points(1)
def test_scores_far_below_zero(solution, rng):
    """Scores of minus a million million: what is masked has minus infinity, and no finite number is always below."""
    state, x = weights_for(rng, 4), 1e6 * rng.randn(2, 5, 4, dtype=F64)
    state["qkv.weight"][4:8] = -state["qkv.weight"][:4]  # keys are the negative queries
    state["qkv.bias"][:8] = 0
    assert_close(built(solution, 2, state)(x).detach(), expected(state, 2, x), scale=4.0)


@points(1)
def test_strided_inputs(solution, rng):
    """A transposed view is ordinary input: do not assume contiguous memory."""
    state, x = weights_for(rng, 6), rng.randn(4, 2, 6, dtype=F64).transpose(0, 1)
    assert_close(built(solution, 2, state)(x).detach(), expected(state, 2, x), scale=2.0)


@points(1)
def test_inputs_state_and_mode(solution, rng):
    """x is left as it was, a loaded state decides, and training and evaluation do the same."""
    layer, x = built(solution, 2, weights_for(rng, 6, F32)), rng.randn(2, 3, 6)
    assert_not_mutated(layer, x)
    assert_ignores_mode(layer, x)
    assert_state_dict_round_trip(lambda: solution.CausalSelfAttention(6, 2), (x,))


@points(1)
def test_how_it_starts(solution, rng):
    """Both layers start as nn.Linear does, and not at a fixed value."""
    torch.manual_seed(rng.seed())
    state = solution.CausalSelfAttention(49, 7).state_dict()
    for name in ("qkv.weight", "qkv.bias", "out.weight", "out.bias"):
        largest = float(state[name].abs().max()) * 7
        # of 2,401 uniform numbers or more, the largest is above 0.95 of the bound; a bias has 49 or more
        least = 0.95 if name.endswith("weight") else 0.5
        check(least < largest <= 1.0001, f"{name} does not start as in nn.Linear")
