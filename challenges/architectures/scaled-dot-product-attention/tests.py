"""Hidden tests of scaled-dot-product-attention: fresh random inputs, small tensors, values before properties."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def draw(rng, lead, T, S, d, d_v, dtype=torch.float32):
    """q (*lead, T, d), k (*lead, S, d), v (*lead, S, d_v)."""
    return (
        rng.randn(*lead, T, d, dtype=dtype),
        rng.randn(*lead, S, d, dtype=dtype),
        rng.randn(*lead, S, d_v, dtype=dtype),
    )


def gradients(out, inputs, cotangent):
    """The gradients of `out`; an input that took no part counts as zero."""
    check(isinstance(out, torch.Tensor), "the output is not a tensor")
    check(out.requires_grad, "the output is cut off from the graph: backward() would fail")
    found = torch.autograd.grad(out, inputs, cotangent, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found, strict=True)]


# ------------------------------------------------------------------------------------------------ samples


@sample
def test_worked_example(solution):
    """The worked example of the statement: check the scale, and over which axis the softmax runs."""
    q = torch.tensor([[2 * math.log(3), 0.0, 0.0, 0.0]])
    k = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    v = torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    assert_close(solution.attention(q, k, v), torch.tensor([[3.0, 2.0]]))


@sample
@points(2)
def test_agrees_with_loops(solution, rng, exhibit):
    """Values differ from attention written with loops over queries and keys: read the formula once more."""
    q, k, v = draw(rng, (2,), T=5, S=7, d=4, d_v=6)
    expected = torch.zeros(2, 5, 6)
    for b in range(2):
        for t in range(5):
            scores = [float(q[b, t] @ k[b, s]) / math.sqrt(4) for s in range(7)]
            e = [math.exp(z - max(scores)) for z in scores]
            for s in range(7):
                expected[b, t] += e[s] / sum(e) * v[b, s]
    actual = solution.attention(q, k, v)
    exhibit.difference("attention without a mask", actual, expected)
    assert_close(actual, expected)


@sample
@points(2)
def test_attention_map(solution, rng, exhibit):
    """With v = identity the output is the attention map: rows sum to 1 and hidden keys weigh exactly nothing."""
    q, k, _ = draw(rng, (), T=8, S=8, d=4, d_v=8)
    mask = torch.ones(8, 8, dtype=torch.bool).tril()  # every query sees itself and what came before
    expected = torch.zeros(8, 8)
    for t in range(8):
        expected[t, : t + 1] = torch.softmax(k[: t + 1] @ q[t] / math.sqrt(4), dim=0)
    weights = solution.attention(q, k, torch.eye(8), mask)
    exhibit.heatmap("attention map under a causal mask", weights, "key", "query")
    assert_close(weights, expected)
    check(bool((weights.triu(1) == 0).all()), "a key that the mask hides still has weight")


@sample
def test_nothing_to_attend_to(solution, rng):
    """A query whose mask row is all False returns zeros, and leaves its neighbours alone."""
    q, k, v = draw(rng, (), T=3, S=4, d=2, d_v=5)
    mask = torch.ones(3, 4, dtype=torch.bool)
    mask[1] = False
    expected = torch.softmax(q @ k.T / math.sqrt(2), dim=-1) @ v
    expected[1] = 0
    assert_close(solution.attention(q, k, v, mask), expected)


# ------------------------------------------------------------------------------------------------ values

SHAPES = {  # lead, T, S, d, d_v, dtype
    "plain": ((), 4, 6, 8, 5, torch.float64),
    "batch": ((3,), 5, 5, 16, 16, torch.float32),
    "heads": ((2, 3), 7, 4, 9, 2, torch.float32),
    "deep": ((2, 1, 2), 1, 9, 3, 4, torch.float64),
    "one-element": ((1,), 1, 1, 1, 1, torch.float32),
}


@points(2)
@pytest.mark.parametrize("name", SHAPES)
def test_values(solution, reference, rng, name):
    """Values, shape or dtype are off without a mask: compare with the formula for several sizes, T ≠ S and d ≠ d_v."""
    q, k, v = draw(rng, *SHAPES[name])
    assert_close(solution.attention(q, k, v), reference.attention(q, k, v))


MASKS = {
    "full": ((2, 3), (2, 3, 4, 6)),
    "keys": ((2, 3), (6,)),
    "queries-and-keys": ((2, 3), (4, 6)),
    "padding": ((2, 3), (2, 1, 1, 6)),
    "heads": ((2, 3), (3, 1, 6)),
    "queries": ((2, 3), (4, 1)),
    "no-lead": ((), (4, 6)),
}


@points(2)
@pytest.mark.parametrize("name", MASKS)
def test_masks(solution, reference, rng, name):
    """A mask is not honoured: True means «may attend», and it broadcasts to the scores from the right."""
    lead, shape = MASKS[name]
    q, k, v = draw(rng, lead, T=4, S=6, d=8, d_v=3)
    mask = rng.mask(*shape)
    mask.view(-1)[rng.integer(0, mask.numel())] = True
    mask.view(-1)[rng.integer(0, mask.numel())] = False
    assert_close(solution.attention(q, k, v, mask), reference.attention(q, k, v, mask))


@points(1)
def test_all_true_mask_is_no_mask(solution, rng):
    """A mask that is True everywhere must give what no mask gives."""
    q, k, v = draw(rng, (2,), T=3, S=5, d=4, d_v=4)
    assert_close(solution.attention(q, k, v, torch.ones(3, 5, dtype=torch.bool)), solution.attention(q, k, v, None))


@points(2)
def test_inputs_are_left_alone(solution, rng):
    """One of q, k, v, mask was modified: in-place operations belong on tensors that you made yourself."""
    q, k, v = draw(rng, (2,), T=3, S=5, d=4, d_v=4)
    assert_not_mutated(solution.attention, q, k, v, rng.mask(3, 5))
    assert_not_mutated(solution.attention, q, k, v)


@points(1)
def test_equal_inputs_give_equal_outputs(solution, rng):
    """Two calls with equal inputs differ: attention without dropout has nothing random in it."""
    q, k, v = draw(rng, (2,), T=6, S=6, d=8, d_v=8)
    mask = rng.mask(6, 6)
    torch.manual_seed(rng.seed())
    first = solution.attention(q, k, v, mask)
    torch.manual_seed(rng.seed())
    second = solution.attention(q, k, v, mask)
    assert_close(second, first)
    check(torch.equal(second, first), "two calls with the same inputs gave slightly different values")


@points(1)
def test_output_follows_the_inputs(solution, reference, rng):
    """Inputs of the same shapes but other values must give another output: nothing may be remembered between calls."""
    mask = rng.mask(4, 4)
    for _ in range(3):
        q, k, v = draw(rng, (2,), T=4, S=4, d=8, d_v=8)
        assert_close(solution.attention(q, k, v, mask), reference.attention(q, k, v, mask))


@points(2)
def test_strided_inputs(solution, reference, rng):
    """Transposed, sliced and expanded inputs are ordinary inputs: do not assume contiguous memory."""
    q = rng.randn(2, 3, 8, 5).transpose(-1, -2)  # (2, 3, 5, 8), columns first
    k = rng.randn(2, 7, 3, 16).transpose(1, 2)[..., ::2]  # (2, 3, 7, 8)
    v = rng.randn(7, 1).expand(2, 3, 7, 4)  # one column, seen four times
    mask = rng.mask(7, 5).t()
    assert_close(solution.attention(q, k, v, mask), reference.attention(q, k, v, mask))


LEADS = {
    "outer": ((2, 1), (3,), (2, 3)),
    "shared-keys": ((4,), (), ()),
    "shared-queries": ((), (4,), (4,)),
    "values-only": ((), (), (3,)),
    "ones": ((2, 3), (1, 3), (1,)),
}


@points(2)
@pytest.mark.parametrize("name", LEADS)
def test_leading_dimensions_broadcast(solution, reference, rng, name):
    """Leading dimensions of q, k and v broadcast as in matmul, and each gradient comes back in its input's own shape."""
    lead_q, lead_k, lead_v = LEADS[name]
    q = rng.randn(*lead_q, 3, 4, dtype=torch.float64)
    k = rng.randn(*lead_k, 5, 4, dtype=torch.float64)
    v = rng.randn(*lead_v, 5, 2, dtype=torch.float64)
    assert_same_gradients(solution.attention, reference.attention, [q, k, v, rng.mask(3, 5)], names="qkv")


# ------------------------------------------------------------------------------------------------ edges


@points(2)
@DTYPES
def test_rows_without_keys(solution, reference, rng, dtype):
    """Rows that may attend to nothing are exactly zero, in float32 as in float64, alone or in company."""
    q, k, v = draw(rng, (2, 2), T=5, S=4, d=4, d_v=3, dtype=dtype)
    mask = rng.mask(2, 1, 5, 4, p=0.7)
    mask[:, :, 1::2] = False
    out = solution.attention(q, k, v, mask)
    assert_close(out, reference.attention(q, k, v, mask))
    check(bool((out[:, :, 1::2] == 0).all()), "a row without keys is not exactly zero")
    nothing = solution.attention(q, k, v, torch.zeros(4, dtype=torch.bool))
    assert_close(nothing, torch.zeros(2, 2, 5, 3, dtype=dtype), name="everything hidden")


@points(3)
@pytest.mark.parametrize("hidden", ["some", "all"])
def test_gradients_with_rows_without_keys(solution, reference, rng, hidden):
    """The forward pass may be fine and the backward pass NaN: follow a fully masked row through the softmax backwards."""
    q, k, v = draw(rng, (2,), T=4, S=5, d=4, d_v=3, dtype=torch.float64)
    mask = rng.mask(2, 4, 5, p=0.8) & torch.tensor([False, True, False, True])[:, None]
    mask &= hidden == "some"
    inputs = [x.requires_grad_() for x in (q, k, v)]
    cotangent = rng.randn(2, 4, 3, dtype=torch.float64)
    actual = gradients(solution.attention(*inputs, mask), inputs, cotangent)
    expected = gradients(reference.attention(*inputs, mask), inputs, cotangent)
    for name, mine, theirs in zip("qkv", actual, expected, strict=True):
        assert_close(mine, theirs, name=f"gradient of {name}")


@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["no-mask", "mask"])
def test_no_keys_at_all(solution, rng, masked):
    """With S = 0 the output is zeros that are still part of the graph: backward() works and gives zeros."""
    inputs = [x.requires_grad_() for x in draw(rng, (2,), T=3, S=0, d=4, d_v=5)]
    mask = torch.ones(3, 0, dtype=torch.bool) if masked else None
    out = solution.attention(*inputs, mask)
    assert_close(out, torch.zeros(2, 3, 5))
    for name, x, g in zip("qkv", inputs, gradients(out, inputs, rng.randn(2, 3, 5)), strict=True):
        assert_close(g, torch.zeros_like(x), name=f"gradient of {name}")


@points(1)
@pytest.mark.parametrize("name", ["queries", "batch", "features"])
def test_empty_sizes(solution, rng, name):
    """T = 0, an empty batch and d_v = 0 give an empty result of the right shape and dtype."""
    lead, T, d_v = {"queries": ((2,), 0, 5), "batch": ((0, 3), 4, 5), "features": ((2,), 4, 0)}[name]
    q, k, v = draw(rng, lead, T=T, S=6, d=4, d_v=d_v)
    expected = torch.zeros(*lead, T, d_v)
    assert_close(solution.attention(q, k, v), expected)
    assert_close(solution.attention(q, k, v, rng.mask(T, 6)), expected)


# ------------------------------------------------------------------------------------------------ large scores
#
# Integers times powers of two: every product, sum and scaling below is exact in float32, so the expected weights are too.


@points(3)
@DTYPES
def test_large_scores_keep_small_differences(solution, rng, dtype):
    """Scores near +1e6 in one row and −1e6 in the next: exp overflows or underflows unless each row is shifted by itself."""
    small = rng.randint(0, 4, (6,)).to(dtype)
    q, k = torch.zeros(2, 3, 16, dtype=dtype), torch.zeros(2, 6, 16, dtype=dtype)
    q[..., 0], k[..., 0] = 4 * 2.0**10 * torch.tensor([1.0, -1.0, 1.0], dtype=dtype), 2.0**10
    q[..., 5], k[..., 5] = 4, small  # scores: ±2^20 + small
    v = rng.randn(2, 6, 5, dtype=dtype)
    inputs = [x.requires_grad_() for x in (q, k, v)]
    weights = small.softmax(-1)
    out = solution.attention(*inputs)
    assert_close(out, (weights @ v).detach().unsqueeze(1).expand(2, 3, 5))
    cotangent = rng.randn(2, 3, 5, dtype=dtype)
    grad_q, grad_k, grad_v = gradients(out, inputs, cotangent)
    check(bool(grad_q.isfinite().all() and grad_k.isfinite().all()), "gradients of q and k are not all finite")
    assert_close(grad_v, weights[:, None] * cotangent.sum(1, keepdim=True), name="gradient of v")


@points(2)
def test_forbidden_keys_with_giant_scores(solution, rng):
    """A hidden key with a huge score must not drain the others: mask before you shift and normalise, not after."""
    small = rng.randint(0, 4, (6,)).float()
    hidden = torch.zeros(6, dtype=torch.bool)
    hidden[rng.integer(0, 6)] = True
    q, k = torch.zeros(3, 16), torch.zeros(6, 16)
    q[:, 2], k[:, 2] = 4 * 2.0**10, hidden * 2.0**10  # the hidden key scores 2^20 more
    q[:, 9], k[:, 9] = 4, small
    v = rng.randn(6, 5)
    expected = small.masked_fill(hidden, -math.inf).softmax(-1) @ v
    assert_close(solution.attention(q, k, v, ~hidden), expected.expand(3, 5))


@points(2)
def test_permitted_keys_with_hugely_negative_scores(solution, rng):
    """Permitted scores below −1e10 must still beat forbidden ones: no finite round number is «minus infinity»."""
    order = rng.permutation(6).float()
    hidden = order == rng.integer(1, 5)
    q, k = torch.zeros(3, 16), torch.zeros(6, 16)
    q[:, 7], k[:, 7] = 4 * 2.0**17, order - 2.0**17  # scores: −2^34 + order · 2^17, every gap ends the race
    k[:, 7].masked_fill_(hidden, 0.0)
    v = rng.randn(6, 5)
    winner = order.masked_fill(hidden, -1.0).argmax()
    assert_close(solution.attention(q, k, v, ~hidden), v[winner].expand(3, 5))


# ------------------------------------------------------------------------------------------------ gradients


@points(3)
@pytest.mark.parametrize("case", ["no-mask-float32", "mask-float32", "mask-float64"])
def test_gradients(solution, reference, rng, case):
    """A gradient of q, k or v is wrong: something was detached, computed under no_grad, or scaled in one pass only."""
    dtype = torch.float64 if case.endswith("64") else torch.float32
    q, k, v = draw(rng, (2, 2), T=4, S=5, d=8, d_v=3, dtype=dtype)
    mask = None if case.startswith("no-mask") else rng.mask(2, 1, 4, 5, p=0.6)
    assert_same_gradients(solution.attention, reference.attention, [q, k, v, mask], names="qkv")


@points(2)
def test_gradients_numerically(solution, rng):
    """Gradients disagree with finite differences in float64: the backward pass does not belong to this forward pass."""
    q, k, v = draw(rng, (), T=2, S=3, d=2, d_v=1, dtype=torch.float64)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    inputs = tuple(x.requires_grad_() for x in (q, k, v))
    assert_gradcheck(lambda a, b, c: solution.attention(a, b, c, mask), inputs)


@points(2)
def test_forbidden_keys_have_no_influence(solution, rng):
    """Changing keys and values that the mask hides changed the output, or they received a gradient."""
    q, k, v = draw(rng, (2,), T=4, S=6, d=8, d_v=3)
    seen = torch.tensor([True, True, False, True, False, False])[rng.permutation(6)]
    noise = 100 * rng.randn(2, 6, 11) * ~seen[:, None]
    before = solution.attention(q, k, v, seen)
    assert_close(solution.attention(q, k + noise[..., :8], v + noise[..., 8:], seen), before)
    inputs = [x.requires_grad_() for x in (q, k, v)]
    _, grad_k, grad_v = gradients(solution.attention(*inputs, seen), inputs, rng.randn(2, 4, 3))
    clean = bool((grad_k[:, ~seen] == 0).all() and (grad_v[:, ~seen] == 0).all())
    check(clean, "a key or value that no query may attend to received a gradient")


@attested
@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["no-mask", "mask"])
def test_no_built_in_attention(solution, attest, rng, masked):
    """A built-in attention ran: this exercise is about writing it from matrix products and a softmax."""
    q, k, v = draw(rng, (2, 2), T=4, S=4, d=8, d_v=8)
    seen = attest(solution.attention, q, k, v, rng.mask(4, 4) if masked else None)
    ready_made = ("attention", "_fused_sdp", "transformer_encoder")
    check(not any(part in name for name in seen.operators for part in ready_made), "a built-in attention ran")


@points(1)
@pytest.mark.parametrize("case", ["no-keys", "all-forbidden"])
def test_nothing_to_attend_to_with_broadcast_leads(solution, rng, case):
    """Where no query may attend to anything, the leading dimensions of q, k and v broadcast as everywhere else."""
    S = 0 if case == "no-keys" else 4
    q, k, v = rng.randn(3, 6), rng.randn(2, S, 6), rng.randn(5, 2, S, 7)
    mask = None if case == "no-keys" else torch.zeros(3, S, dtype=torch.bool)
    assert_close(solution.attention(q, k, v, mask), torch.zeros(5, 2, 3, 7))


@points(1)
@DTYPES
def test_permitted_keys_far_below_any_number(solution, rng, dtype):
    """All permitted scores lie near -1e30: a forbidden key must still get nothing, and they share as they would at 0."""
    q = torch.tensor([[1e15, 0.0]], dtype=dtype)
    k = torch.tensor([[-2e15, 1.0], [0.0, 0.0], [-2e15, 5.0]], dtype=dtype)
    v = rng.randn(3, 2, dtype=dtype)
    actual = solution.attention(q, k, v, torch.tensor([[True, False, True]]))
    assert_close(actual, (v[:1] + v[2:]) / 2)


@points(1)
def test_a_mask_is_read_from_the_right(solution, reference, rng):
    """With as many batch items as queries a mask (T, S) is still one for all items, not one row for each of them."""
    q, k, v = draw(rng, (3,), T=3, S=5, d=4, d_v=2)
    mask = rng.mask(3, 5)
    mask[0], mask[1] = torch.arange(5) < 2, torch.arange(5) > 2
    assert_close(solution.attention(q, k, v, mask), reference.attention(q, k, v, mask))
