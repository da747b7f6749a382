"""Hidden tests: grouped-query attention."""

import math

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_not_mutated,
    assert_same_gradients,
    attested,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64


def draw(rng, B, H, G, T, S, e, dtype=F64):
    """q, k and v of standard normal values."""
    return [rng.randn(B, n, L, e, dtype=dtype) for n, L in ((H, T), (G, S), (G, S))]


@sample
@points(2)
def test_agrees_with_loops(solution, rng, exhibit):
    """Values differ from a loop over heads: query head h uses key/value head h // (H / G), and its own scale."""
    q, k, v = draw(rng, 1, 6, 2, 3, 4, 5, F32)
    expected = torch.zeros(1, 6, 3, 5)
    for h in range(6):
        g = h // 3
        for t in range(3):
            expected[0, h, t] = torch.softmax(k[0, g] @ q[0, h, t] / math.sqrt(5), dim=0) @ v[0, g]
    actual = solution.grouped_attention(q, k, v)
    exhibit.difference("six query heads, two key/value heads", actual, expected)
    assert_close(actual, expected)


@sample
def test_who_shares(solution, rng):
    """With equal weights everywhere, each head returns the mean of its value head: neighbours share, not every G-th head."""
    v = torch.arange(3.0).view(1, 3, 1, 1).expand(1, 3, 4, 2)
    out = solution.grouped_attention(torch.zeros(1, 6, 1, 2), rng.randn(1, 3, 4, 2), v)
    assert_close(out, torch.tensor([0.0, 0, 1, 1, 2, 2]).view(1, 6, 1, 1).expand(1, 6, 1, 2))


@sample
def test_pooling_two_groups(solution):
    """Four heads of two rows become two: each row is the mean of that row in the heads of the group."""
    weight = torch.tensor([[1.0], [2.0], [3.0], [4.0], [50.0], [60.0], [70.0], [80.0]])
    assert_close(solution.pool_heads(weight, 4, 2), torch.tensor([[2.0], [3.0], [60.0], [70.0]]))


@sample
def test_errors(solution, rng):
    """Sizes that do not divide are a ValueError: G and H, and H and the rows of a weight."""
    q, k, v = draw(rng, 1, 4, 3, 2, 2, 2)
    with pytest.raises(ValueError):
        solution.grouped_attention(q, k, v)
    for arguments in ((rng.randn(8, 2), 4, 3), (rng.randn(6, 2), 4, 2)):
        with pytest.raises(ValueError):
            solution.pool_heads(*arguments)


SIZES = {  # B, H, G, T, S, e, causal, dtype
    "groups-of-two": (2, 4, 2, 3, 5, 4, False, F64),
    "groups-of-three": (1, 6, 2, 2, 3, 5, False, F32),
    "one-for-all": (2, 4, 1, 3, 4, 3, False, F64),
    "one-for-each": (2, 3, 3, 4, 2, 4, False, F64),
    "one-head": (2, 1, 1, 2, 3, 4, False, F32),
    "decoding": (3, 8, 2, 1, 6, 4, True, F64),
    "causal-square": (2, 4, 2, 4, 4, 4, True, F64),
    "causal-after-a-cache": (1, 6, 3, 2, 5, 4, True, F32),
    "causal-one-for-all": (2, 4, 1, 3, 4, 2, True, F64),
    "one-for-each-after-a-cache": (2, 3, 3, 2, 5, 4, True, F64),
    "everything-equal": (3, 3, 3, 3, 3, 3, True, F64),
}


@points(2)
@pytest.mark.parametrize("name", SIZES)
def test_values_and_gradients(solution, reference, rng, name):
    """Values or a gradient are off: a shared key or value collects gradient from every head of its group."""
    *sizes, causal, dtype = SIZES[name]
    q, k, v = draw(rng, *sizes, dtype=dtype)
    assert_same_gradients(
        solution.grouped_attention, reference.grouped_attention, (q, k, v), names=("q", "k", "v"), causal=causal
    )


@points(2)
def test_a_head_moves_only_its_group(solution, rng):
    """Changing one key/value head must change the outputs of its own group, and of no other."""
    q, k, v = draw(rng, 2, 6, 3, 2, 4, 4)
    g = rng.integer(0, 3)
    changed_k, changed_v = k.clone(), v.clone()
    changed_k[:, g] = rng.randn(2, 4, 4, dtype=F64)
    changed_v[:, g] = rng.randn(2, 4, 4, dtype=F64)
    before, after = solution.grouped_attention(q, k, v), solution.grouped_attention(q, changed_k, changed_v)
    check(before.shape == after.shape == q.shape, "output: the shape is wrong")
    others = torch.tensor([h // 2 != g for h in range(6)])
    assert_close(after[:, others], before[:, others], name="heads of the other groups")
    check(bool((after - before)[:, ~others].abs().max() > 1e-6), "the group's own heads did not move")


@points(2)
def test_the_future_does_not_leak(solution, rng):
    """With causal=True, changing later keys and values must not move earlier queries, in any head."""
    q, k, v = draw(rng, 1, 4, 2, 3, 5, 4)
    other_k, other_v = k.clone(), v.clone()
    other_k[:, :, 4:], other_v[:, :, 4:] = 9.0, -9.0
    before = solution.grouped_attention(q, k, v, causal=True)
    after = solution.grouped_attention(q, other_k, other_v, causal=True)
    check(before.shape == after.shape == q.shape, "output: the shape is wrong")
    assert_close(after[:, :, :2], before[:, :, :2], name="queries before the change")
    check(bool((after[:, :, 2] - before[:, :, 2]).abs().max() > 1e-6), "the last query does not see the last key")


@attested
@points(3)
@pytest.mark.parametrize(("G", "causal"), [(2, False), (2, True), (1, False)], ids=["plain", "causal", "one-for-all"])
def test_no_copies_for_every_head(solution, attest, rng, G, causal):
    """Some operator produced a tensor as large as keys for all H heads: fold the heads of a group into its queries."""
    B, H, S, e = 2, 8, 24, 16
    q, k, v = draw(rng, B, H, G, 1, S, e, F32)
    seen = attest(solution.grouped_attention, q, k, v, causal=causal)
    check(seen.result.shape == q.shape, "output: the shape is wrong")
    check(seen.largest_numel < B * H * S * e, "an operator produced B·H·S·e elements or more")
    ready_made = ("scaled_dot_product", "_fused_sdp", "flash_attention", "efficient_attention")
    check(not any(part in name for name in seen.operators for part in ready_made), "a ready-made attention ran")


@points(1)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_large_scores(solution, reference, rng, dtype):
    """Scores of many thousands must not overflow: softmax has to be shifted row by row."""
    q, k, v = draw(rng, 1, 4, 2, 2, 3, 4, dtype)
    # whole numbers, so that products and sums are exact in float32
    q, k = (64 * q).round(), (64 * k).round()
    assert_close(solution.grouped_attention(q, k, v), reference.grouped_attention(q, k, v), scale=4.0)


@points(1)
def test_large_negative_scores(solution, rng):
    """A query whose only permitted key has a hugely negative score attends to it all the same, and to no later one."""
    q = torch.full((1, 2, 2, 4), 1e6, dtype=F64)
    k = torch.stack([torch.full((4,), -1e6, dtype=F64), torch.zeros(4, dtype=F64)])[None, None]
    v = rng.randn(1, 1, 2, 4, dtype=F64)
    assert_close(solution.grouped_attention(q, k, v, causal=True), v[:, :, [0, 1]].expand(1, 2, 2, 4))


@points(1)
def test_strided_inputs(solution, reference, rng):
    """Heads cut from a projection are transposed views: do not assume contiguous memory."""
    q = rng.randn(2, 3, 4, 5, dtype=F64).transpose(1, 2)
    k = rng.randn(2, 4, 10, 2, dtype=F64).permute(0, 3, 1, 2)[..., ::2]
    v = rng.randn(2, 1, 4, 5, dtype=F64).expand(2, 2, 4, 5)
    assert_same_gradients(solution.grouped_attention, reference.grouped_attention, (q, k, v), causal=True)


@points(1)
def test_inputs_are_left_alone(solution, rng):
    """An argument was modified, or two equal calls differ: in-place operations belong on tensors that you made yourself."""
    q, k, v = draw(rng, 1, 4, 2, 3, 3, 4)
    assert_not_mutated(solution.grouped_attention, q, k, v, causal=True)
    assert_not_mutated(solution.pool_heads, rng.randn(8, 3), 4, 2)
    assert_deterministic(solution.grouped_attention, q, k, v)


POOLS = {  # shape, H, G, dtype
    "matrix": ((12, 5), 6, 2, F64),
    "one-group": ((8, 3), 4, 1, F32),
    "each-its-own": ((6, 4), 3, 3, F64),
    "bias": ((12,), 4, 2, F64),
    "one-row-heads": ((6, 2), 6, 3, F32),
}


@points(2)
@pytest.mark.parametrize("name", POOLS)
def test_pooling(solution, reference, rng, name):
    """The pooled projection is off in value, shape, dtype or gradient: cut the rows into group, head and row of the head."""
    shape, H, G, dtype = POOLS[name]
    assert_same_gradients(
        lambda w: solution.pool_heads(w, H, G),
        lambda w: reference.pool_heads(w, H, G),
        (rng.randn(*shape, dtype=dtype),),
    )


@points(2)
def test_pooling_equal_heads_changes_nothing(solution, rng):
    """If the heads of each group are equal, pooling must not change the attention: both parts group alike."""
    B, H, G, T, e, d = 2, 6, 2, 3, 4, 5
    x, q = rng.randn(B, T, d, dtype=F64), rng.randn(B, H, T, e, dtype=F64)
    full = [rng.randn(G, 1, e, d, dtype=F64).expand(G, H // G, e, d).reshape(H * e, d) for _ in range(2)]
    pooled = [solution.pool_heads(weight, H, G) for weight in full]
    check(all(weight.shape == (G * e, d) for weight in pooled), "pooled weight: the shape is wrong")

    def heads(weight, n):
        return (x @ weight.T).view(B, T, n, e).transpose(1, 2)

    before = solution.grouped_attention(q, *(heads(weight, H) for weight in full), causal=True)
    after = solution.grouped_attention(q, *(heads(weight, G) for weight in pooled), causal=True)
    assert_close(after, before)
