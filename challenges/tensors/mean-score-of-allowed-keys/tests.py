"""Hidden tests: a mean of scores over allowed keys, against one query and one key at a time."""

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

F32, F64 = torch.float32, torch.float64
MOST_OPERATORS = 60


def one_by_one(q, k, mask):
    """Query by query and key by key, in plain arithmetic."""
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], mask.shape[:-2])
    q, k, mask = (t.expand(*lead, *t.shape[-2:]).reshape(-1, *t.shape[-2:]) for t in (q, k, mask))
    rows = []
    for queries, keys, allowed in zip(q, k, mask, strict=True):
        for query, flags in zip(queries, allowed, strict=True):
            scores = [(query * keys[j]).sum() / math.sqrt(q.shape[-1]) for j in range(len(keys)) if flags[j]]
            rows.append(sum(scores) / len(scores) if scores else q.new_zeros(()))
    return torch.stack(rows).reshape(*lead, q.shape[-2])


def draw(rng, lead, n, m, d, dtype=F64):
    """At least one key is allowed for each query."""
    mask = rng.mask(*lead, n, m)
    mask[..., 0] |= ~mask.any(-1)
    return rng.randn(*lead, n, d, dtype=dtype), rng.randn(*lead, m, d, dtype=dtype), mask


@sample
@points(1)
def test_two_queries(solution):
    """The first query may look at both keys, the second one at the first key alone; d is 4, so scores are halved."""
    q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    k = torch.tensor([[1.0, 5.0, 0.0, 0.0], [3.0, 7.0, 0.0, 0.0]])
    mask = torch.tensor([[True, True], [True, False]])
    assert_close(solution.masked_scores(q, k, mask), torch.tensor([2.0, 5.0]))


@sample
@points(1)
def test_no_allowed_key(solution):
    """A query that may look at nothing gives 0."""
    q, k = torch.ones(2, 3), torch.ones(4, 3)
    mask = torch.tensor([[False] * 4, [True] * 4])
    assert_close(solution.masked_scores(q, k, mask), torch.tensor([0.0, math.sqrt(3.0)]))


@sample
@points(1)
def test_a_batch(solution):
    """Two batches: the shape of the result is that of q without its last dimension."""
    q, k = torch.ones(2, 3, 1), torch.tensor([[[1.0], [3.0]], [[10.0], [30.0]]])
    result = solution.masked_scores(q, k, torch.ones(2, 3, 2, dtype=torch.bool))
    assert_close(result, torch.tensor([[2.0, 2.0, 2.0], [20.0, 20.0, 20.0]]))


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("lead", [(), (3,), (2, 3)], ids=["none", "one", "two"])
def test_values(solution, rng, dtype, lead):
    """Random queries, keys and masks: which product, which scale, which mean?"""
    q, k, mask = draw(rng, lead, 5, 7, 3, dtype)
    assert_close(solution.masked_scores(q, k, mask), one_by_one(q, k, mask), scale=4.0)


@points(1)
def test_square_batch(solution, rng):
    """As many queries as keys, and as many of them as numbers in a vector: no shape gives a mistake away."""
    q, k, mask = draw(rng, (3,), 3, 3, 3)
    assert_close(solution.masked_scores(q, k, mask), one_by_one(q, k, mask))


BROADCAST = {
    "one-mask": ((3,), (3,), ()),
    "keys-shared": ((2, 3), (3,), (2, 1)),
    "queries-shared": ((1,), (5,), (5,)),
    "mask-alone": ((), (), (4,)),
}


@points(2)
@pytest.mark.parametrize("case", BROADCAST)
def test_leading_dimensions_broadcast(solution, rng, case):
    """Leading dimensions of q, k and mask broadcast, each with the others."""
    leads = BROADCAST[case]
    q, k = rng.randn(*leads[0], 2, 3, dtype=F64), rng.randn(*leads[1], 5, 3, dtype=F64)
    mask = rng.mask(*leads[2], 2, 5)
    assert_close(solution.masked_scores(q, k, mask), one_by_one(q, k, mask))


@points(2)
@pytest.mark.parametrize("sizes", [(3, 0), (0, 5), (0, 0)], ids=["no-keys", "no-queries", "neither"])
def test_nothing_there(solution, rng, sizes):
    """Without keys every result is 0; without queries there is none."""
    n, m = sizes
    q, k, mask = rng.randn(2, n, 3), rng.randn(2, m, 3), torch.ones(2, n, m, dtype=torch.bool)
    assert_close(solution.masked_scores(q, k, mask), torch.zeros(2, n))


@points(2)
def test_forbidden_keys_do_not_matter(solution, rng):
    """What a forbidden key holds, be it large, must not change the result."""
    q, k, mask = draw(rng, (2,), 3, 5, 4)
    mask[..., -1] = False
    before = solution.masked_scores(q, k, mask)
    k[:, -1] = 1e6 * rng.randn(2, 4, dtype=F64)
    assert_close(solution.masked_scores(q, k, mask), before)


@points(2)
@pytest.mark.parametrize("lead", [(), (2, 3)], ids=["none", "two"])
def test_gradients(solution, rng, lead):
    """Gradients reach queries and keys, weighted as the mean weights them."""
    q, k, mask = draw(rng, lead, 3, 5, 2)
    assert_same_gradients(solution.masked_scores, one_by_one, [q, k, mask], names=("q", "k", "mask"))


@points(1)
def test_finite_differences(solution, rng):
    """The gradients agree with finite differences."""
    q, k, mask = draw(rng, (2,), 2, 3, 2)
    assert_gradcheck(lambda a, b: solution.masked_scores(a, b, mask), [q, k])


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_gradients_without_allowed_keys(solution, rng, dtype):
    """A query without an allowed key: its value is repaired, but is its gradient? Backward runs through the division."""
    q, k, mask = draw(rng, (2,), 4, 5, 3, dtype)
    mask[0, 1] = mask[1, 3] = False
    q, k = q.requires_grad_(), k.requires_grad_()
    result = solution.masked_scores(q, k, mask)
    assert_close(result.detach(), one_by_one(q.detach(), k.detach(), mask), scale=4.0)
    weights = rng.randn(2, 4, dtype=dtype)
    (result * weights).sum().backward()
    check(q.grad is not None and k.grad is not None, "no gradient reaches q or k")
    check(bool(q.grad.isfinite().all()) and bool(k.grad.isfinite().all()), "a gradient is NaN or infinite")
    ours, theirs = q.detach().requires_grad_(), k.detach().requires_grad_()
    (one_by_one(ours, theirs, mask) * weights).sum().backward()
    assert_close(q.grad, ours.grad, scale=4.0, name="gradient of q")
    assert_close(k.grad, theirs.grad, scale=4.0, name="gradient of k")


@attested
@points(2)
def test_without_a_loop(solution, attest, rng):
    """The number of operators must not grow with the number of queries, keys or batches."""
    q, k, mask = draw(rng, (7, 5), 11, 13, 3, F32)
    seen = attest(solution.masked_scores, q, k, mask)
    calls = sum(count for name, count in seen.operators.items() if name.startswith("aten::"))
    check(calls <= MOST_OPERATORS, f"more than {MOST_OPERATORS} operators: is there a loop?")


@points(1)
def test_arguments_stay(solution, rng):
    """The arguments must stay as they are."""
    assert_not_mutated(solution.masked_scores, *draw(rng, (2,), 3, 5, 2))
