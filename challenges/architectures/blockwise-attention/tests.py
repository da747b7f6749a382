"""Hidden tests: attention over blocks of keys."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_gradcheck,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64


def draw(rng, B, H, T, S, d, e, dtype=F64):
    """q (B, H, T, d), k (B, H, S, d), v (B, H, S, e)."""
    return tuple(rng.randn(B, H, n, width, dtype=dtype) for n, width in ((T, d), (S, d), (S, e)))


def whole(q, k, v, keep=None, causal=False):
    """Attention with the whole matrix of scores. Queries without keys give zeros."""
    T, S = q.shape[2], k.shape[2]
    allowed = torch.ones(T, S, dtype=torch.bool)
    if causal:
        allowed = allowed.tril(S - T)
    if keep is not None:
        allowed = allowed & keep[:, None, None]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    allowed = allowed.expand_as(scores)
    alive = allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed & alive, -math.inf).softmax(-1)
    return torch.where(alive, weights, 0.0) @ v


@sample
def test_worked_example(solution):
    """The worked example of the statement is off: weights 1 : 3 : 1 : 4, however the keys are cut."""
    q = torch.ones(1, 1, 1, 1)
    k = torch.tensor([1.0, 3.0, 1.0, 4.0]).log().view(1, 1, 4, 1)
    v = torch.tensor([9.0, 0.0, 18.0, 9.0]).view(1, 1, 4, 1)
    for block in (1, 2, 3, 100):
        assert_close(solution.blockwise_attention(q, k, v, block), torch.full((1, 1, 1, 1), 7.0))
    keep = torch.tensor([[False, False, True, False]])
    assert_close(solution.blockwise_attention(q, k, v, 2, keep), torch.full((1, 1, 1, 1), 18.0))


@sample
@points(2)
def test_agrees_with_whole_attention(solution, rng, exhibit):
    """Values differ from attention with the whole matrix: what happens to earlier blocks when the maximum grows?"""
    q, k, v = draw(rng, 2, 3, 5, 11, 4, 6, F32)
    expected = whole(q, k, v)
    actual = solution.blockwise_attention(q, k, v, 4)
    exhibit.difference("eleven keys in blocks of four", actual, expected)
    assert_close(actual, expected)


@sample
def test_nothing_to_attend_to(solution, rng):
    """With more queries than keys the first queries stand before the first key: causal attention gives them zeros."""
    q, k, v = draw(rng, 1, 1, 5, 3, 2, 4, F32)
    out = solution.blockwise_attention(q, k, v, 2, causal=True)
    assert_close(out, whole(q, k, v, causal=True))
    check(bool((out[:, :, :2] == 0).all()), "a query without keys is not exactly zero")


CASES = {  # B, H, T, S, d, e, block, keep, causal, dtype
    "blocks-that-divide": (2, 2, 4, 12, 4, 3, 4, False, False, F64),
    "a-short-last-block": (1, 3, 5, 11, 3, 5, 3, False, False, F64),
    "one-key-each": (2, 1, 3, 6, 5, 2, 1, True, False, F64),
    "one-block": (1, 2, 4, 5, 4, 4, 8, False, True, F64),
    "causal-square": (2, 2, 9, 9, 4, 3, 4, False, True, F64),
    "causal-after-a-cache": (1, 2, 4, 11, 3, 4, 3, True, True, F64),
    "causal-more-queries": (2, 1, 9, 5, 4, 2, 2, True, True, F64),
    "one-query": (3, 2, 1, 7, 6, 5, 2, True, False, F64),
    "one-key": (2, 2, 3, 1, 1, 1, 3, False, False, F64),
    "as-many-queries-as-items": (4, 4, 4, 4, 4, 4, 3, True, False, F64),
    "float32": (2, 2, 6, 13, 8, 3, 5, True, True, F32),
}


@points(3)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(solution, rng, name):
    """Values or a gradient are off for some sizes: compare with whole attention, block by block."""
    *sizes, block, keeps, causal, dtype = CASES[name]
    q, k, v = draw(rng, *sizes, dtype)
    keep = rng.mask(sizes[0], sizes[3], p=0.7) if keeps else None
    if keeps:
        keep[0, 0], keep[-1, 0] = False, True
    assert_same_gradients(
        lambda q, k, v: solution.blockwise_attention(q, k, v, block, keep, causal),
        lambda q, k, v: whole(q, k, v, keep, causal),
        (q, k, v),
        names="qkv",
    )


@points(2)
def test_any_block_size(solution, rng):
    """The result depends on the block size: cut the keys differently and compare."""
    q, k, v = draw(rng, 2, 1, 4, 10, 3, 2)
    keep = rng.mask(2, 10, p=0.8)
    expected = whole(3 * q, k, v, keep, True)
    for block in range(1, 13):
        assert_close(solution.blockwise_attention(3 * q, k, v, block, keep, True), expected)


@points(3)
@pytest.mark.parametrize("order", ["growing", "falling", "alternating"])
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_scores_that_grow_and_fall(solution, rng, order, dtype):
    """Scores near a million that rise or fall from block to block: subtract the running maximum first, in both passes."""
    S = 12
    place = torch.arange(S)
    small = {"growing": place, "falling": S - place, "alternating": 6 * (place % 2) + place % 3}[order].to(dtype)
    # powers of two and small whole numbers: products and sums are exact in float32
    q, k = torch.zeros(1, 1, 2, 16, dtype=dtype), torch.zeros(1, 1, S, 16, dtype=dtype)
    q[..., 0], k[..., 0] = 4 * 2.0**10 * torch.tensor([1.0, -1.0], dtype=dtype), 2.0**10
    q[..., 5], k[..., 5] = 4, small  # scores: +-2^20 + small
    v = rng.randn(1, 1, S, 3, dtype=dtype)
    inputs = [t.requires_grad_() for t in (q, k, v)]
    out = solution.blockwise_attention(*inputs, 5)
    # the same attention without the millions: its scores are 1 * small
    alike = [torch.ones(1, 1, 2, 1, dtype=dtype), small.view(1, 1, S, 1), v.detach().clone()]
    expected = whole(*[t.requires_grad_() for t in alike])
    assert_close(out, expected)
    check(out.requires_grad, "the output is detached from its inputs")
    upstream = rng.randn(1, 1, 2, 3, dtype=dtype)
    gradients = torch.autograd.grad(out, inputs, upstream, allow_unused=True)
    check(all(g is not None and bool(g.isfinite().all()) for g in gradients), "a gradient is missing or not finite")
    dq, dk, dv = torch.autograd.grad(expected, alike, upstream)
    # Each gradient is a sum of up to S terms that nearly cancel. Those of q also have a factor of up to S, the small scores.
    assert_close(4 * gradients[0][..., 5:6], dq, scale=float(S * S))
    assert_close(gradients[1][..., 5:6], dk, scale=float(S))
    assert_close(gradients[2], dv)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_enormous_scores(solution, rng, dtype):
    """Scores of ten thousand million, of both signs: the largest permitted one takes everything, and a hidden one nothing."""
    order = rng.permutation(9).to(dtype) - 4  # -4 to 4
    q, k = torch.zeros(1, 1, 2, 4, dtype=dtype), torch.zeros(1, 1, 9, 4, dtype=dtype)
    q[:, :, 0, 1], q[:, :, 1, 1] = 2.0**17, -(2.0**17)
    k[..., 1] = order * 2.0**15  # scores: +-order * 2^31
    v = rng.randn(1, 1, 9, 3, dtype=dtype)
    for block in (2, 4):
        out = solution.blockwise_attention(q, k, v, block)
        best = torch.stack([order.argmax(), order.argmin()])
        assert_close(out, v[:, :, best])
        # only the two lowest for the first query: both far below zero, and everything that is hidden lies above them
        keep = (order < -2)[None]
        lowest = torch.stack([(order + 3).abs().argmin(), order.argmin()])
        assert_close(solution.blockwise_attention(q, k, v, block, keep), v[:, :, lowest])


@points(3)
@pytest.mark.parametrize("where", ["late", "early", "middle", "nowhere"])
def test_blocks_without_permitted_keys(solution, rng, where):
    """A block in which a query may attend to nothing: its maximum is minus infinity, and the correction must not become NaN."""
    q, k, v = draw(rng, 2, 2, 3, 12, 4, 3)
    place = torch.arange(12)
    seen = {"late": place > 8, "early": place < 2, "middle": (place > 3) & (place < 6), "nowhere": place < 0}[where]
    keep = torch.stack([seen, torch.ones(12, dtype=torch.bool)])
    for inputs in ((q, k, v), (q, -k, v)):
        assert_same_gradients(
            lambda q, k, v: solution.blockwise_attention(q, k, v, 3, keep),
            lambda q, k, v: whole(q, k, v, keep),
            inputs,
            names="qkv",
        )
    out = solution.blockwise_attention(q, k, v, 3, keep)
    check(where != "nowhere" or bool((out[0] == 0).all()), "a query without keys is not exactly zero")


@points(2)
def test_forbidden_keys_have_no_influence(solution, rng):
    """Changing keys and values that are forbidden changed the output, or they received a gradient."""
    q, k, v = draw(rng, 2, 2, 4, 9, 4, 3)
    keep = rng.mask(2, 9, p=0.6)
    keep[:, rng.integer(0, 9)] = False
    hidden = ~keep[:, None, :, None]
    before = solution.blockwise_attention(q, k, v, 4, keep)
    noisy_k, noisy_v = k + 100 * hidden * rng.randn(2, 2, 9, 4, dtype=F64), v + 1000.0 * hidden
    assert_close(solution.blockwise_attention(q, noisy_k, noisy_v, 4, keep), before)
    inputs = [k.requires_grad_(), v.requires_grad_()]
    out = solution.blockwise_attention(q, *inputs, 4, keep)
    check(out.requires_grad, "the output is detached from k and v")
    for gradient in torch.autograd.grad(out, inputs, rng.randn(2, 2, 4, 3, dtype=F64)):
        check(bool((gradient.masked_select(hidden) == 0).all()), "a forbidden key or value received a gradient")


@points(2)
def test_symmetries(solution, rng):
    """The same shift of all keys cancels, the order of keys does not matter, and equal values come out as they are."""
    q, k, v = draw(rng, 1, 2, 4, 10, 3, 5)
    out = solution.blockwise_attention(q, k, v, 3)
    check(out.shape == (1, 2, 4, 5), "output: the shape is wrong")
    assert_close(solution.blockwise_attention(q, k + rng.randn(3, dtype=F64), v, 3), out, name="shifted keys")
    order = rng.permutation(10)
    assert_close(solution.blockwise_attention(q, k[:, :, order], v[:, :, order], 4), out, name="permuted keys")
    same = v[:, :, :1].expand(1, 2, 10, 5)
    assert_close(solution.blockwise_attention(q, k, same, 3), same[:, :, :4], name="equal values")


@points(2)
def test_gradients_numerically(solution, rng):
    """Gradients disagree with finite differences: did a part of the sum leave the graph together with the maximum?"""
    q, k, v = draw(rng, 1, 1, 3, 5, 2, 2)
    assert_gradcheck(lambda q, k, v: solution.blockwise_attention(q, k, v, 2, None, True), (q, k, v), names="qkv")


@attested
@points(4)
@pytest.mark.parametrize("masks", ["none", "causal", "keep", "both"])
def test_largest_tensor(solution, attest, rng, masks):
    """An operator of the forward pass produced a tensor that is too large: no T x S matrix, and no mask of that size either."""
    B, H, T, S, d, e, block = 2, 2, 160, 192, 4, 3, 8
    q, k, v = draw(rng, B, H, T, S, d, e, F32)
    keep = rng.mask(B, S, p=0.8) if masks in ("keep", "both") else None
    causal = masks in ("causal", "both")
    seen = attest(solution.blockwise_attention, q, k, v, block, keep, causal)
    assert_close(seen.result, whole(q, k, v, keep, causal))
    check(seen.largest_numel <= B * H * (T + S) * (d + e + block), "an operator produced more elements than allowed")


@attested
@points(2)
def test_largest_tensor_of_one_head(solution, attest, rng):
    """With one head and one item, a mask of T x S bools is as large as the scores: build it block by block."""
    T, S, d, e, block = 160, 192, 4, 3, 8
    q, k, v = draw(rng, 1, 1, T, S, d, e, F32)
    seen = attest(solution.blockwise_attention, q, k, v, block, rng.mask(1, S), True)
    check(seen.largest_numel <= (T + S) * (d + e + block), "an operator produced more elements than allowed")


@attested
@points(2)
def test_largest_tensor_of_the_backward_pass(solution, attest, rng):
    """The backward pass produced a tensor that is too large: it must work block by block, too."""
    B, H, T, S, d, e, block = 1, 2, 128, 96, 4, 3, 6
    inputs = [t.requires_grad_() for t in draw(rng, B, H, T, S, d, e, F32)]
    seen = attest.backward(solution.blockwise_attention, *inputs, block, None, True)
    check(seen.largest_numel <= B * H * (T + S) * (d + e + block), "an operator produced more elements than allowed")


@points(1)
def test_strided_inputs(solution, rng):
    """Heads cut from a projection are transposed views, and a mask may be a column of a table: assume nothing about strides."""
    q = rng.randn(2, 5, 3, 4, dtype=F64).transpose(1, 2)
    k = rng.randn(2, 7, 3, 8, dtype=F64).transpose(1, 2)[..., ::2]
    v = rng.randn(2, 1, 7, 6, dtype=F64).expand(2, 3, 7, 6)
    keep = rng.mask(7, 2, p=0.7).T
    assert_close(solution.blockwise_attention(q, k, v, 3, keep), whole(q, k, v, keep))


@points(1)
def test_nothing_is_changed_or_remembered(solution, rng):
    """Inputs stay as they are, equal calls give equal results, and other values of the same shapes give other results."""
    for _ in range(3):
        q, k, v = draw(rng, 2, 2, 4, 7, 3, 5, F32)
        keep = rng.mask(2, 7, p=0.7)
        out = assert_not_mutated(solution.blockwise_attention, q, k, v, 3, keep, True)
        assert_close(out, whole(q, k, v, keep, True))
    assert_deterministic(solution.blockwise_attention, q, k, v, 3, keep)
