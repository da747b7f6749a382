"""Hidden tests of attention-with-options: values from the library's own function and from float64, then each option by itself."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

HALVES = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["float16", "bfloat16"])
WIDE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def draw(rng, lead, T, S, d=4, d_v=3, dtype=torch.float32):
    return (
        rng.randn(*lead, T, d, dtype=dtype),
        rng.randn(*lead, S, d, dtype=dtype),
        rng.randn(*lead, S, d_v, dtype=dtype),
    )


def bias(rng, *shape, dtype=torch.float32):
    """An additive mask: numbers of both signs, and −∞ in places, never all along a row."""
    numbers, hidden = 2 * rng.randn(*shape, dtype=dtype), ~rng.mask(*shape, p=0.7)
    hidden[..., rng.integer(0, shape[-1])] = False
    return numbers.masked_fill(hidden, -math.inf)


@sample
@points(1)
def test_causal_means(solution):
    """With equal scores each query takes the mean of the values up to its own position."""
    q, v = torch.zeros(3, 4), torch.tensor([[6.0], [0.0], [3.0]])
    assert_close(solution.attention(q, q, v, causal=True), torch.tensor([[6.0], [3.0], [3.0]]))


@sample
@points(1)
def test_added(solution):
    """A float mask is added to the scores: log 3 makes a key three times as heavy."""
    q, v = torch.zeros(1, 4), torch.tensor([[4.0], [8.0]])
    found = solution.attention(q, torch.zeros(2, 4), v, torch.tensor([[math.log(3.0), 0.0]]))
    assert_close(found, torch.tensor([[5.0]]))


@sample
@points(1)
def test_three_kinds_of_dropout(solution):
    """With v = identity the output shows the weights: each is 0, or a quarter divided by 1 − p."""
    torch.manual_seed(20)
    weights = solution.attention(torch.zeros(64, 2), torch.zeros(4, 2), torch.eye(4), dropout_p=0.5)
    check(set(weights.flatten().tolist()) == {0.0, 0.5}, "the weights after dropout must be 0 or 0.25 / (1 − 0.5)")


@points(2)
@WIDE
@pytest.mark.parametrize("kind", ["none", "bool", "float"])
def test_values(solution, rng, dtype, kind):
    """Values differ from the library's function, with no mask, a boolean or an additive one."""
    q, k, v = draw(rng, (2, 3), 5, 7, dtype=dtype)
    mask = {"none": None, "bool": rng.mask(3, 5, 7, p=0.6), "float": bias(rng, 2, 1, 5, 7, dtype=dtype)}[kind]
    assert_close(solution.attention(q, k, v, mask), F.scaled_dot_product_attention(q, k, v, mask))


@points(2)
@pytest.mark.parametrize("sizes", [(5, 5), (3, 7), (7, 3), (1, 4)], ids=["square", "wide", "tall", "one-query"])
def test_causal(solution, rng, sizes):
    """The causal triangle starts in the upper left corner: query t sees keys 0, …, t, whatever T and S are."""
    q, k, v = draw(rng, (2,), *sizes)
    found = solution.attention(q, k, v, causal=True)
    assert_close(found, F.scaled_dot_product_attention(q, k, v, is_causal=True))
    assert_close(solution.attention(q, k, v, causal=False), F.scaled_dot_product_attention(q, k, v))


@points(2)
def test_the_future_does_not_matter(solution, rng):
    """Keys and values that come later change nothing at all in a causal pass."""
    q, k, v = draw(rng, (2,), 6, 6)
    before = solution.attention(q, k, v, causal=True)
    cut = rng.integer(1, 6)
    k, v = k.clone(), v.clone()
    k[:, cut:], v[:, cut:] = 1e4 * rng.randn(2, 6 - cut, 4), rng.randn(2, 6 - cut, 3)
    after = solution.attention(q, k, v, causal=True)
    check(torch.equal(after[:, :cut], before[:, :cut]), "a query has seen what comes after it")


@points(2)
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_mask_and_causal_together(solution, rng, kind):
    """A mask together with causal: a key is seen only if both allow it."""
    q, k, v = draw(rng, (2, 2), 5, 6)
    mask = rng.mask(6, p=0.6) if kind == "bool" else bias(rng, 5, 6)
    allowed = torch.ones(5, 6, dtype=torch.bool).tril()
    if kind == "bool":
        mask[0] = True
        expected = F.scaled_dot_product_attention(q, k, v, allowed & mask)
    else:
        mask[:, 0] = rng.randn(5)
        expected = F.scaled_dot_product_attention(q, k, v, mask.masked_fill(~allowed, -math.inf))
    assert_close(solution.attention(q, k, v, mask, causal=True), expected)


@points(3)
@pytest.mark.parametrize("kind", ["bool", "float", "causal"])
def test_rows_without_keys(solution, reference, rng, kind):
    """A query that may attend to nothing gives exactly zero, and the gradients of everybody stay finite."""
    q, k, v = draw(rng, (2,), 4, 5, dtype=torch.float64)
    mask = torch.ones(4, 5, dtype=torch.bool)
    mask[2] = False
    mask[:, 0] &= kind != "causal"  # under a causal triangle the first query is left without its only key
    if kind == "float":
        mask = torch.zeros(4, 5, dtype=torch.float64).masked_fill(~mask, -math.inf)
    out = solution.attention(q, k, v, mask, causal=kind == "causal")
    check(bool((out[:, 2] == 0).all()), "a row without keys is not exactly zero")
    call = {"causal": kind == "causal"}
    assert_same_gradients(
        lambda a, b, c: solution.attention(a, b, c, mask, **call),
        lambda a, b, c: reference.attention(a, b, c, mask, **call),
        [q, k, v],
        names="qkv",
    )


@points(2)
@pytest.mark.parametrize("causal", [False, True], ids=["plain", "causal"])
def test_gradient_of_a_mask_that_hides_all(solution, rng, causal):
    """The gradient of a float mask stays finite where a whole row of it is −∞, and is zero at all that it hides."""
    q, k, v = draw(rng, (2,), 4, 5, dtype=torch.float64)
    mask = rng.randn(4, 5, dtype=torch.float64)
    mask[2], mask[1, 3] = -math.inf, -math.inf
    mask.requires_grad_()
    out = solution.attention(q, k, v, mask, causal=causal)
    check(out.requires_grad, "the mask receives no gradient")
    (gradient,) = torch.autograd.grad(out, [mask], rng.randn(2, 4, 3, dtype=torch.float64))
    check(bool(gradient.isfinite().all()), "the gradient of the mask is not finite")
    check(bool((gradient[mask.detach() == -math.inf] == 0).all()), "what the mask hides has a gradient")
    check(bool((gradient[3] != 0).any()), "the mask receives no gradient")


@points(1)
@pytest.mark.parametrize("shape", [(5,), (4, 1), (1, 5), (3, 1, 1, 5)], ids=str)
def test_masks_broadcast(solution, rng, shape):
    """A mask of any shape that broadcasts to (…, T, S) will do: for all queries, for all keys, or for one leading dimension."""
    q, k, v = draw(rng, (3, 2), 4, 5)
    added, seen = rng.randn(*shape), rng.mask(*shape, p=0.6)
    seen[..., 0] = True
    for mask in (added, seen):
        expected = F.scaled_dot_product_attention(q, k, v, mask.expand(3, 2, 4, 5))
        assert_close(solution.attention(q, k, v, mask), expected)


@points(2)
@WIDE
def test_gradients(solution, reference, rng, dtype):
    """A gradient differs, of q, k, v or of a float mask: nothing on the way may be detached."""
    q, k, v = draw(rng, (2, 2), 4, 5, dtype=dtype)
    mask = rng.randn(2, 4, 5, dtype=dtype)
    inputs = [q, k, v, mask, True]
    assert_same_gradients(solution.attention, reference.attention, inputs, names="qkvm")


@points(2)
@HALVES
@pytest.mark.parametrize("kind", ["none", "bool", "float"])
def test_half_precision(solution, rng, dtype, kind):
    """In half precision the result must be that of float32, rounded once at the end: which intermediate was rounded before?"""
    q, k, v = (x.to(dtype) for x in draw(rng, (2,), 6, 40, d=12, d_v=5))  # √12 is no power of two
    q = q * 4
    mask = {"none": None, "bool": rng.mask(6, 40), "float": bias(rng, 6, 40).to(dtype)}[kind]
    wide = [x.double() for x in (q, k, v)]
    expected = F.scaled_dot_product_attention(*wide, mask.double() if kind == "float" else mask)
    found = solution.attention(q, k, v, mask, causal=False)
    check(found.dtype == dtype, "the result must have the dtype of q")
    unit = torch.finfo(dtype).eps * expected.abs().clamp_min(0.1)
    check(bool(((found.double() - expected).abs() <= unit).all()), "the result is off by more than one rounding")


@points(2)
def test_scores_beyond_float16(solution, rng):
    """Scores beyond 65504 are ordinary scores, in float16 too: no NaN, and small differences still count."""
    q, k = torch.zeros(3, 16, dtype=torch.float16), torch.zeros(5, 16, dtype=torch.float16)
    small = rng.randint(0, 3, (5,))
    q[:, 0], k[:, 0] = torch.tensor([1024.0, -1024.0, 1024.0], dtype=torch.float16), 1024.0  # scores: ±2^18 + small
    q[:, 5], k[:, 5] = 4.0, small.half()
    v = rng.randn(5, 4).half()
    expected = (small.double().softmax(-1) @ v.double()).expand(3, 4)
    found = solution.attention(q, k, v)
    check(bool(found.isfinite().all()), "a result in float16 is not finite")
    check(bool(((found.double() - expected).abs() <= 2e-3).all()), "the result is off by more than one rounding")


@points(2)
@pytest.mark.parametrize("kind", ["bool", "float", "causal"])
def test_permitted_keys_with_hugely_negative_scores(solution, rng, kind):
    """Hidden keys must have no weight beside permitted ones, also where the scores of these lie below −10^9."""
    for dtype, size in ((torch.float16, 2.0**15), (torch.float32, 2.0**18)):
        order = rng.permutation(6).to(dtype)
        hidden = 5 if kind == "causal" else rng.integer(0, 6)
        q, k = torch.full((6, 16), size, dtype=dtype), torch.full((6, 16), -size, dtype=dtype)
        k[:, 3] += order * (size / 8)  # scores: −4 size² + order · size² / 32, all exact; every gap ends the race
        k[hidden], order[hidden] = 0.0, 6.0  # a score of 0, far above all others
        allowed = torch.ones(6, 6, dtype=torch.bool)
        allowed[: 5 if kind == "causal" else 6, hidden] = False
        mask = {"bool": allowed[0], "float": torch.zeros(6, dtype=dtype).masked_fill(~allowed[0], -math.inf)}.get(kind)
        winner = order.masked_fill(~(allowed.tril() if kind == "causal" else allowed), -1.0).argmax(-1)
        v = rng.randn(6, 5).to(dtype)
        assert_close(solution.attention(q, k, v, mask, causal=kind == "causal"), v[winner])


@points(2)
@pytest.mark.parametrize("p", [0.2, 0.75])
def test_dropped_weights(solution, rng, p):
    """Each weight is zero with probability p, else multiplied by 1 / (1 − p): one by one, and not normalised again."""
    q, k, _ = draw(rng, (8,), 25, 20)
    v = torch.eye(20).repeat(8, 1, 2)  # the result shows the weights, twice
    torch.manual_seed(rng.seed())
    found, again = solution.attention(q, k, v, dropout_p=p).split(20, -1)
    check(torch.equal(found, again), "a dropped weight is dropped for all columns of v")
    weights = F.scaled_dot_product_attention(q, k, v[..., :20])
    kept = found != 0
    assert_close(found, torch.where(kept, weights / (1 - p), 0.0), name="weights after dropout")
    share = 1 - float(kept.double().mean())
    # 4000 independent weights: seven standard deviations, as for a coin
    check(abs(share - p) < 7 * math.sqrt(p * (1 - p) / 4000), f"a share of {share:.3f} was dropped instead of {p}")
    for axis, count in ((0, 8), (1, 25), (2, 20)):
        spread = float(kept.double().mean(axis).std())
        check(spread < 2 * math.sqrt(p * (1 - p) / count), "weights are dropped together, not one by one")


@points(1)
def test_randomness(solution, rng):
    """The global generator decides: the same seed gives the same result, a second call another, and p = 0 draws nothing."""
    q, k, v = draw(rng, (4,), 9, 9)
    seed = rng.seed()
    torch.manual_seed(seed)
    first, second = solution.attention(q, k, v, dropout_p=0.5), solution.attention(q, k, v, dropout_p=0.5)
    torch.manual_seed(seed)
    again = solution.attention(q, k, v, dropout_p=0.5)
    check(torch.equal(first, again), "the same seed has given another result")
    check(not torch.equal(first, second), "two calls have dropped the same weights")
    torch.manual_seed(seed)
    solution.attention(q, k, v, causal=True, dropout_p=0.0)
    check(torch.equal(solution.attention(q, k, v, dropout_p=0.5), first), "with p = 0 something was drawn")


@points(1)
def test_gradients_under_dropout(solution, rng):
    """Forward and backward use the same dropped weights: the gradient of v is the weights, transposed."""
    q, k, _ = draw(rng, (), 6, 5)
    v = torch.eye(5).requires_grad_()
    torch.manual_seed(rng.seed())
    out = solution.attention(q, k, v, None, True, 0.4)
    cotangent = rng.randn(6, 5)
    (found,) = torch.autograd.grad(out, [v], cotangent)
    assert_close(found, out.detach().T @ cotangent, name="gradient of v")


@points(1)
@pytest.mark.parametrize("p", [-0.1, 1.0, 1.5])
def test_impossible_probability(solution, rng, p):
    """dropout_p outside 0 ≤ p < 1 raises ValueError."""
    q, k, v = draw(rng, (), 2, 2)
    with pytest.raises(ValueError):
        solution.attention(q, k, v, dropout_p=p)


@points(1)
def test_inputs_are_left_alone(solution, rng):
    """One of the arguments was modified: in-place operations belong on tensors that you made yourself."""
    q, k, v = draw(rng, (2,), 3, 5)
    for mask in (None, rng.mask(3, 5), bias(rng, 3, 5)):
        assert_not_mutated(solution.attention, q, k, v, mask, causal=True)


@points(1)
def test_single_sizes(solution, rng):
    """Without leading dimensions, with one query and one key, and with transposed inputs the values are the same."""
    q, k, v = draw(rng, (), 1, 1, d=1, d_v=1, dtype=torch.float64)
    assert_close(solution.attention(q, k, v), v)
    q, k, v = rng.randn(4, 3).T, rng.randn(5, 3, 4)[:, 1], rng.randn(5, 6)[:, ::2]
    assert_close(solution.attention(q, k, v), F.scaled_dot_product_attention(q, k, v))
