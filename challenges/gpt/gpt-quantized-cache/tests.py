"""Hidden tests: a cache of keys and values in eight bits."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
SHAPES = {"one-row": (5,), "matrix": (4, 7), "cache": (2, 3, 4, 6), "one-feature": (6, 1), "no-rows": (0, 3)}


def quantized(solution, x):
    """(q, scale), once it is sure that this is what came back."""
    result = solution.quantize(x)
    check(isinstance(result, tuple) and len(result) == 2, "the result must be a pair: q and scale")
    q, scale = result
    check(q.dtype == torch.int8 and q.shape == x.shape, "q must be int8, with the shape of x")
    check(
        scale.dtype == x.dtype and scale.shape == (*x.shape[:-1], 1),
        "scale must have shape (..., 1) and the dtype of x",
    )
    return q, scale


def scales_of(x):
    largest = x.abs().amax(-1, keepdim=True)
    return torch.where(largest > 0, largest / 127, torch.ones_like(largest))


def rows(rng, *shape, dtype=F64):
    """Rows of very different sizes."""
    x = rng.randn(*shape, dtype=dtype)
    return x * 10.0 ** (6 * rng.rand(*shape[:-1], 1, dtype=dtype) - 3)


def appended(solution, pieces):
    cache = None
    for keys, values in pieces:
        cache = solution.append(cache, keys, values)
        check(isinstance(cache, tuple) and len(cache) == 4, "a cache must be a tuple of four tensors")
    return cache


def attention(queries, cache):
    qk, sk, qv, sv = cache
    k, v = qk.to(queries.dtype) * sk, qv.to(queries.dtype) * sv
    return (queries @ k.mT / math.sqrt(queries.shape[-1])).softmax(-1) @ v


@sample
@points(1)
def test_by_hand(solution):
    """A row with the largest element 1.27 has scale 0.01; a row of zeros has scale 1."""
    q, scale = quantized(solution, torch.tensor([[1.27, -0.5, 0.004], [0.0, 0.0, 0.0]]))
    check(q.tolist() == [[127, -50, 0], [0, 0, 0]], "expected [[127, -50, 0], [0, 0, 0]]")
    assert_close(scale, torch.tensor([[0.01], [1.0]]), name="scale")


@sample
@points(1)
def test_there_and_back(solution, rng):
    """After quantising and dequantising, each element is off by at most half a scale."""
    x = rng.randn(3, 8)
    q, scale = quantized(solution, x)
    back = solution.dequantize(q, scale)
    check(float(((back - x).abs() / scale).max()) < 0.5001, "an element is off by more than half a scale")


@sample
@points(1)
def test_two_pieces(solution, rng):
    """Appending three tokens and then one gives a cache of four tokens."""
    cache = appended(solution, [(rng.randn(2, 2, n, 4), rng.randn(2, 2, n, 4)) for n in (3, 1)])
    shapes = [tuple(t.shape) for t in cache]
    check(shapes == [(2, 2, 4, 4), (2, 2, 4, 1)] * 2, "the shapes of the cache are wrong")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("name", SHAPES)
def test_scales_and_bound(solution, rng, name, dtype):
    """The scale is the largest element of each row over 127, and no element is off by more than half a scale."""
    x = rows(rng, *SHAPES[name], dtype=dtype)
    q, scale = quantized(solution, x)
    assert_close(scale, scales_of(x), name="scale")
    off = (q.to(dtype) * scale - x).abs() / scale
    check(bool((off < 0.5001).all()), "an element is off by more than half a scale")
    check(bool((q.to(torch.int16).abs() <= 127).all()), "q must lie between −127 and 127")
    if x.numel():
        check(
            bool((q.to(torch.int16).abs().amax(-1) == 127).all()),
            "the largest element of a row must become 127 or −127",
        )


@points(2)
def test_nearest(solution):
    """Rounded to the nearest integer, not towards zero or downwards."""
    x = torch.tensor([[127.0, 1.7, -1.7, 0.4, -0.4, 2.2, -2.8, -127.0]], dtype=F64)
    q, _ = quantized(solution, x)
    check(q.tolist() == [[127, 2, -2, 0, 0, 2, -3, -127]], "the rounding differs")


@points(2)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_both_ends(solution, sign):
    """The largest element may be negative: −128 never occurs, and the sign stays."""
    x = sign * torch.tensor([[3.0, -1.0, 0.5], [-8.0, 8.0, 0.0], [1e-30, 0.0, 0.0]])
    q, scale = quantized(solution, x)
    assert_close(scale, torch.tensor([[3.0], [8.0], [1e-30]]) / 127, name="scale")
    check(
        q.tolist() == [[int(sign * v) for v in row] for row in ([127, -42, 21], [-127, 127, 0], [127, 0, 0])],
        "q differs",
    )


@points(2)
@EACH_DTYPE
def test_dequantize(solution, rng, dtype):
    """q times scale, in the dtype of the scale, for every value of int8."""
    q = torch.arange(-127, 128).to(torch.int8).view(15, 17)
    scale = rng.rand(15, 1, dtype=dtype) + 0.1
    assert_close(solution.dequantize(q, scale), q.to(dtype) * scale)


@points(2)
def test_an_outlier_keeps_to_its_row(solution, rng):
    """A large element changes the scale of its own row and of no other."""
    x = rng.randn(2, 2, 5, 6)
    before, scales = quantized(solution, x)
    other = x.clone()
    other[1, 0, 3, 2] = 1e4
    after, changed = quantized(solution, other)
    same = torch.ones(2, 2, 5, dtype=torch.bool)
    same[1, 0, 3] = False
    check(
        torch.equal(before[same], after[same]) and torch.equal(scales[same], changed[same]), "another row has changed"
    )


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("lengths", [(5,), (1, 1, 1, 1, 1), (3, 2), (1, 4)], ids=str)
def test_pieces(solution, rng, lengths, dtype):
    """Tokens in pieces of any lengths give the same cache, bit for bit: each token has its own scales."""
    keys, values = rows(rng, 2, 3, 5, 4, dtype=dtype), rows(rng, 2, 3, 5, 4, dtype=dtype)
    cache = appended(solution, zip(keys.split(lengths, 2), values.split(lengths, 2), strict=True))
    wanted = (*quantized(solution, keys), *quantized(solution, values))
    for name, found, expected in zip(("qk", "sk", "qv", "sv"), cache, wanted, strict=True):
        check(found.dtype == expected.dtype and found.shape == expected.shape, f"{name}: wrong dtype or shape")
        check(torch.equal(found, expected), f"{name} differs from that of all tokens at once")


@points(2)
def test_what_is_stored_stays(solution, rng):
    """What is in the cache comes back bit for bit, whatever it is, and is left as it was."""
    q = rng.randint(-127, 128, (2, 1, 3, 4)).to(torch.int8)
    cache = (q, rng.rand(2, 1, 3, 1) + 1, q.flip(2), rng.rand(2, 1, 3, 1) + 1)
    keys, values = 1e3 * rng.randn(2, 1, 2, 4), rng.randn(2, 1, 2, 4)
    found = assert_not_mutated(solution.append, cache, keys, values)
    for name, new, old in zip(("qk", "sk", "qv", "sv"), found, cache, strict=True):
        check(torch.equal(new[:, :, :3], old), f"{name}: a stored token has changed")
        check(new.shape[2] == 5, f"{name}: there should be five tokens")


SIZES = {"one-query": (2, 2, 1, 5, 4, F64), "several": (1, 3, 4, 7, 3, F32), "one-token": (2, 1, 3, 1, 5, F64)}


@points(3)
@pytest.mark.parametrize("name", SIZES)
def test_attention(solution, rng, name):
    """Attention over the dequantised cache differs: the scales of keys and values, the scale of the scores."""
    B, H, T, S, e, dtype = SIZES[name]
    cache = []
    for _ in range(2):
        cache += [rng.randint(-127, 128, (B, H, S, e)).to(torch.int8), 0.02 * rng.rand(B, H, S, 1, dtype=dtype) + 0.001]
    queries = rng.randn(B, H, T, e, dtype=dtype)
    found = assert_not_mutated(solution.attend, queries, tuple(cache))
    assert_close(found, attention(queries, cache), scale=2.0)


@points(1)
def test_large_scores(solution, rng):
    """Scores of some thousands must not overflow."""
    q = rng.randint(-127, 128, (1, 2, 6, 4)).to(torch.int8)
    cache = (q, torch.full((1, 2, 6, 1), 10.0, dtype=F64), q.flip(3), torch.ones(1, 2, 6, 1, dtype=F64))
    queries = 10 * rng.randn(1, 2, 2, 4, dtype=F64)
    assert_close(solution.attend(queries, cache), attention(queries, cache), scale=8.0)


@points(2)
def test_close_to_full_precision(solution, rng):
    """Attention over the quantised cache is close to attention in full precision, outliers included."""
    keys, values = rng.randn(1, 2, 20, 8, dtype=F64), rng.randn(1, 2, 20, 8, dtype=F64)
    keys[0, 0, 3], values[0, 1, 5] = 20 * keys[0, 0, 3], 50 * values[0, 1, 5]
    queries = rng.randn(1, 2, 3, 8, dtype=F64)
    cache = appended(solution, [(keys, values)])
    full = (queries @ keys.mT / math.sqrt(8)).softmax(-1) @ values
    found = solution.attend(queries, cache)
    # A score is off by at most |q|₁ · half a key scale / √8, and weights change by at most a factor exp(2 · this). A value is
    # off by half a value scale.
    score = queries.abs().sum(-1).amax() * keys.abs().amax() / 254 / math.sqrt(8)
    spread = values.abs().amax()
    bound = float((torch.exp(2 * score) - 1) * spread + spread / 254)
    check(float((found - full).abs().max()) <= bound, "the result is farther from full precision than eight bits allow")


@points(1)
def test_strided_inputs(solution, rng):
    """Transposed views are ordinary input, and x is left as it was."""
    x = rng.randn(3, 5, 4, dtype=F64).transpose(0, 1)
    q, scale = assert_not_mutated(solution.quantize, x)
    wanted = quantized(solution, x.contiguous())
    check(torch.equal(q, wanted[0]), "q differs from that of contiguous memory")
    assert_close(scale, wanted[1], name="scale")
