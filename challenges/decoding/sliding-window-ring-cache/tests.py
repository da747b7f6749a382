"""Hidden tests: sliding-window attention with a ring cache."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64


def banded(q, k, v, window, slopes):
    """One pass over everything, under a full mask."""
    n = torch.arange(q.shape[2])
    distance = n[:, None] - n
    bias = -slopes[:, None, None] * distance.to(q.dtype)
    bias = bias.masked_fill((distance < 0) | (distance >= window), -math.inf)
    scores = torch.einsum("bhte,bhse->bhts", q, k) / math.sqrt(q.shape[3]) + bias
    return torch.einsum("bhts,bhse->bhte", scores.softmax(-1), v)


def inputs(rng, B, H, n, e, dtype=F64):
    """Queries, keys, values and slopes."""
    q, k, v = (rng.randn(B, H, n, e, dtype=dtype) for _ in range(3))
    return q, k, v, rng.rand(H, dtype=dtype)


def called(solution, q, k, v, window, slopes, cache=None):
    """(out, cache), once it is sure that they have the form of the statement."""
    arguments = (q, k, v, window, slopes)
    result = solution.ring_attention(*arguments) if cache is None else solution.ring_attention(*arguments, cache)
    check(type(result) is tuple and len(result) == 2, "a pair (out, cache) expected")
    out, new = result
    check(isinstance(out, torch.Tensor) and out.shape == q.shape and out.dtype == q.dtype, "out: shape or dtype of q")
    check(type(new) is tuple and len(new) == 3, "the cache must be (keys, values, positions)")
    shape = (*k.shape[:2], window, k.shape[3])
    for name, tensor in zip(("keys", "values"), new, strict=False):
        check(
            isinstance(tensor, torch.Tensor) and tensor.shape == shape, f"{name}: (B, H, W, e) expected, whatever T is"
        )
        check(tensor.dtype == k.dtype, f"{name}: another dtype than k and v")
    check(new[2].dtype == torch.int64 and new[2].shape == (window,), "positions: int64 of shape (W,) expected")
    return out, new


def in_pieces(solution, q, k, v, window, slopes, lengths, cache=None):
    """The outputs of a sequence that is fed in pieces, in one tensor, and the last cache."""
    outs, start = [], 0
    for length in lengths:
        part = slice(start, start + length)
        out, cache = called(solution, q[:, :, part], k[:, :, part], v[:, :, part], window, slopes, cache)
        outs.append(out)
        start += length
    return torch.cat(outs, dim=2), cache


def expect_cache(cache, k, v, window, first=0):
    """The cache after all of k and v, whose tokens have the positions from `first` on."""
    n = first + k.shape[2]
    held = {j % window: j for j in range(max(first, n - window), n)}
    wanted = torch.tensor([held.get(slot, -1) for slot in range(window)])
    assert_close(cache[2], wanted, name="positions")
    slots = sorted(held)
    index = [held[slot] - first for slot in slots]
    for name, actual, expected in (("keys", cache[0], k), ("values", cache[1], v)):
        assert_close(actual[:, :, slots].detach(), expected[:, :, index], rtol=0.0, atol=0.0, name=name)


@sample
@points(1)
def test_by_hand(solution):
    """Equal keys and no slope: each output is the mean of the last two values, in one pass and in pieces."""
    ones, zero = torch.ones(1, 1, 5, 1), torch.zeros(1)
    v = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]).view(1, 1, 5, 1)
    expected = torch.tensor([1.0, 1.5, 2.5, 3.5, 4.5]).view(1, 1, 5, 1)
    for lengths in ((5,), (1, 3, 1), (2, 3)):
        out, _ = in_pieces(solution, ones, ones, v, 2, zero, lengths)
        assert_close(out, expected, name=f"output of the pieces {lengths}")


@sample
@points(1)
def test_slots_by_hand(solution):
    """Position j is kept in slot j mod 3. After 2 tokens one slot is empty, after 7 the slots hold 6, 4 and 5."""
    x = torch.arange(7.0).view(1, 1, 7, 1)
    _, cache = in_pieces(solution, x, x, x, 3, torch.zeros(1), (2,))
    assert_close(cache[2], torch.tensor([0, 1, -1]), name="positions after 2 tokens")
    _, cache = in_pieces(solution, x, x, x, 3, torch.zeros(1), (2, 5))
    assert_close(cache[2], torch.tensor([6, 4, 5]), name="positions after 7 tokens")
    assert_close(cache[0].flatten(), torch.tensor([6.0, 4.0, 5.0]), name="keys after 7 tokens")


@sample
@points(1)
def test_slope_by_hand(solution):
    """With a slope of log 2, each step back halves the weight: 3 tokens have the weights 4, 2 and 1, divided by 7."""
    zeros, slope = torch.zeros(1, 1, 3, 1), torch.tensor([math.log(2.0)])
    v = torch.tensor([7.0, 14.0, 28.0]).view(1, 1, 3, 1)
    out, _ = called(solution, zeros, zeros, v, 3, slope)
    assert_close(out.flatten(), torch.tensor([7.0, 35 / 3, (7 + 28 + 112) / 7]))


CUTS = {
    "whole": (11,),
    "token-by-token": (1,) * 11,
    "prompt-then-tokens": (6, 1, 1, 1, 1, 1),
    "uneven": (2, 5, 1, 3),
    "long-after-short": (1, 10),
    "exactly-the-window": (4, 4, 3),
}


@points(3)
@pytest.mark.parametrize("name", CUTS)
def test_pieces(solution, rng, name):
    """Some position differs from one pass under a banded mask: keys were overwritten too early, or the mask counts slots."""
    for window, dtype in ((4, F64), (3, F32), (1, F64), (7, F32), (20, F64)):
        q, k, v, slopes = inputs(rng, 2, 3, 11, 5, dtype)
        out, cache = in_pieces(solution, q, k, v, window, slopes, CUTS[name])
        expected = banded(q, k, v, window, slopes)
        for t in range(11):
            assert_close(out[:, :, t], expected[:, :, t], name=f"output at position {t} with a window of {window}")
        expect_cache(cache, k, v, window)


@points(2)
def test_random_pieces(solution, rng):
    """Pieces of random lengths, after which the ring has turned several times."""
    for _ in range(3):
        n, window, lengths = 40, rng.integer(2, 8), []
        while sum(lengths) < n:
            lengths.append(min(rng.integer(1, 12), n - sum(lengths)))
        q, k, v, slopes = inputs(rng, 1, 2, n, 3)
        out, cache = in_pieces(solution, q, k, v, window, slopes, lengths)
        assert_close(out, banded(q, k, v, window, slopes))
        expect_cache(cache, k, v, window)


@points(2)
def test_forgotten_tokens(solution, rng):
    """Tokens that have left the window still have an influence, or later ones already have one."""
    q, k, v, slopes = inputs(rng, 1, 2, 12, 3)
    q = 0.1 * q  # so that every token of the window has some weight
    other_k, other_v = k.clone(), v.clone()
    other_k[:, :, 4], other_v[:, :, 4] = 3.0, -50.0
    lengths = (3, 1, 4, 2, 2)
    one, _ = in_pieces(solution, q, k, v, 5, slopes, lengths)
    two, _ = in_pieces(solution, q, other_k, other_v, 5, slopes, lengths)
    assert_close(two[:, :, :4], one[:, :, :4], name="outputs before the changed token")
    assert_close(two[:, :, 9:], one[:, :, 9:], name="outputs after the changed token has left the window")
    moved = (two - one)[:, :, 4:9].abs().amax((0, 1, 3))
    check(bool((moved > 1e-3).all()), "a token inside the window has no influence")


@points(2)
def test_empty_slots(solution, rng):
    """An empty slot has position -1, and what it contains must not matter, even for the first tokens of a sequence."""
    for window, length in ((6, 2), (4, 3), (5, 1)):
        q, k, v, slopes = inputs(rng, 2, 2, length + 7, 3)
        _, (keys, values, positions) = in_pieces(solution, q, k, v, window, slopes, (length,))
        empty = (positions < 0)[:, None]
        cache = keys.masked_fill(empty, 300.0), values.masked_fill(empty, -1e6), positions
        rest = [x[:, :, length:] for x in (q, k, v)]
        out, cache = in_pieces(solution, *rest, window, slopes, (1, 2, 4), cache)
        assert_close(out, banded(q, k, v, window, slopes)[:, :, length:])
        expect_cache(cache, k, v, window)
    # A cache in which every slot is empty is as good as none.
    q, k, v, slopes = inputs(rng, 1, 2, 4, 3)
    blank = torch.full((1, 2, 3, 3), 300.0, dtype=F64), torch.full((1, 2, 3, 3), 1e6, dtype=F64), torch.full((3,), -1)
    out, _ = called(solution, q, k, v, 3, slopes, blank)
    assert_close(out, banded(q, k, v, 3, slopes), name="output of an empty cache")


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_late_positions(solution, rng, dtype):
    """Far into a text, only distances matter: outputs must be those of the beginning, with all digits."""
    window, past = 5, 8
    q, k, v, slopes = inputs(rng, 2, 2, past + 9, 4, dtype)
    _, (keys, values, positions) = in_pieces(solution, q, k, v, window, slopes, (past,))
    shift = window * rng.integer(1_000_000, 1_900_000)
    rest = [x[:, :, past:] for x in (q, k, v)]
    out, cache = in_pieces(solution, *rest, window, slopes, (1, 3, 5), (keys, values, positions + shift))
    assert_close(out, banded(q, k, v, window, slopes)[:, :, past:])
    expect_cache(cache, k, v, window, first=shift)


@points(3)
@pytest.mark.parametrize("lengths", [(7,), (3, 4), (4, 1, 1, 1)], ids=["one-pass", "two-pieces", "prompt-and-tokens"])
def test_gradients(solution, rng, lengths):
    """A gradient is off: it has to flow back through the cache to the tokens that filled it."""
    tensors = [x.requires_grad_() for x in inputs(rng, 2, 2, 7, 3)]
    q, k, v, slopes = tensors
    cotangent = rng.randn(2, 2, 7, 3, dtype=F64)
    out, _ = in_pieces(solution, q, k, v, 3, slopes, lengths)
    check(out.requires_grad, "the output is detached from its inputs")
    actual = torch.autograd.grad(out, tensors, cotangent, allow_unused=True)
    expected = torch.autograd.grad(banded(q, k, v, 3, slopes), tensors, cotangent)
    for name, mine, theirs in zip(("q", "k", "v", "slopes"), actual, expected, strict=True):
        mine = torch.zeros_like(theirs) if mine is None else mine
        assert_close(mine, theirs, scale=4.0, name=f"gradient of {name}")


@points(2)
def test_gradient_of_the_cache(solution, rng):
    """The returned keys and values belong to the graph: what was overwritten has no gradient, what is kept has one."""
    q, k, v, slopes = inputs(rng, 1, 2, 5, 3)
    k.requires_grad_(), v.requires_grad_()
    _, (keys, values, _) = in_pieces(solution, q, k, v, 3, slopes, (2, 3))
    check(keys.requires_grad and values.requires_grad, "the cache is detached from its inputs")
    for name, tensor, source in (("keys", keys, k), ("values", values, v)):
        (gradient,) = torch.autograd.grad(tensor.sum(), source, retain_graph=True)
        kept = (torch.arange(5) >= 2).double()[:, None].expand(1, 2, 5, 3)
        assert_close(gradient, kept, name=f"gradient through the {name}")


@points(2)
def test_branches(solution, rng):
    """Two continuations of one cache must not see each other: the old cache stays what it was."""
    q, k, v, slopes = inputs(rng, 1, 2, 6, 3)
    _, cache = in_pieces(solution, q, k, v, 4, slopes, (6,))
    for _ in range(3):
        more = inputs(rng, 1, 2, 3, 3)[:3]
        out, grown = in_pieces(solution, *more, 4, slopes, (2, 1), cache)
        whole = [torch.cat([old, new], dim=2) for old, new in zip((q, k, v), more, strict=True)]
        assert_close(out, banded(*whole, 4, slopes)[:, :, 6:], name="output of a continuation")
        expect_cache(grown, *whole[1:], 4)
    out, _ = called(solution, q, k, v, 4, slopes)
    assert_close(out, banded(q, k, v, 4, slopes), name="output of a sequence that begins afresh")


@points(1)
def test_reordered_batch(solution, rng):
    """A cache may be reordered or repeated along the batch, as beam search does."""
    q, k, v, slopes = inputs(rng, 3, 2, 5, 3)
    order = torch.tensor([2, 0, 0])
    _, (keys, values, positions) = in_pieces(solution, q, k, v, 3, slopes, (5,))
    more = inputs(rng, 3, 2, 2, 3)[:3]
    out, _ = called(solution, *more, 3, slopes, (keys[order], values[order], positions))
    whole = [torch.cat([old[order], new], dim=2) for old, new in zip((q, k, v), more, strict=True)]
    assert_close(out, banded(*whole, 3, slopes)[:, :, 5:])


@points(1)
def test_large_scores(solution, rng):
    """Scores in the thousands must not overflow: the exponential of such a score is infinite."""
    q, k, v, slopes = inputs(rng, 1, 2, 9, 4)
    q, k, v = 60 * q, 60 * k, 1e5 * v
    out, cache = in_pieces(solution, q, k, v, 4, slopes, (4, 3, 2))
    assert_close(out, banded(q, k, v, 4, slopes), scale=16.0)
    expect_cache(cache, k, v, 4)


@points(1)
def test_layouts_and_arguments(solution, rng):
    """Transposed inputs are tensors like any other, and no argument may be changed, the cache included."""
    q, k, v = (rng.randn(2, 8, 3, 4, dtype=F64).transpose(1, 2) for _ in range(3))
    slopes = rng.rand(6, dtype=F64)[::2]
    out, cache = in_pieces(solution, q, k, v, 3, slopes, (5, 3))
    assert_close(out, banded(q, k, v, 3, slopes))
    expect_cache(cache, k, v, 3)
    x = inputs(rng, 2, 3, 2, 4)[:3]
    assert_not_mutated(solution.ring_attention, *x, 3, slopes, cache)
    expect_cache(cache, k, v, 3)
    assert_not_mutated(solution.ring_attention, *x, 3, slopes)


@points(1)
@pytest.mark.parametrize("name", ["window", "cache"])
def test_errors(solution, rng, name):
    """A window without a token, or a cache that was made for another window, is a ValueError."""
    q, k, v, slopes = inputs(rng, 1, 2, 4, 3)
    if name == "window":
        for window in (0, -3):
            with pytest.raises(ValueError):
                solution.ring_attention(q, k, v, window, slopes)
        return
    _, cache = called(solution, q, k, v, 3, slopes)
    for window in (2, 4):
        with pytest.raises(ValueError):
            solution.ring_attention(q, k, v, window, slopes, cache)
