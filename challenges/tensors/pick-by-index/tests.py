"""Hidden tests: reading and writing by index."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

MOST_OPERATORS = 60
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
INF = float("inf")


def picked(logits, actions):
    """One row at a time."""
    rows = zip(logits.reshape(-1, logits.shape[-1]), actions.flatten().tolist(), strict=True)
    return torch.stack([row[a] - row.logsumexp(0) for row, a in rows]).reshape(actions.shape)


def summed(values, ids, n):
    """One segment at a time."""
    return torch.stack([values[ids == s].sum(0) for s in range(n)])


def rooted(x):
    """One number at a time."""
    return torch.stack([v.sqrt() if float(v.detach()) > 0 else v * 0 for v in x.flatten()]).reshape(x.shape)


@sample
def test_two_actions(solution):
    """Two equal logits give log(1/2) for both; a single possible action gives 0."""
    logits = torch.tensor([[3.0, 3.0], [1.0, -INF]])
    assert_close(solution.action_log_probs(logits, torch.tensor([1, 0])), torch.tensor([-0.6931472, 0.0]))


@sample
def test_one_hot_rows(solution):
    """A 1 at the position of each index, int64, one row for each index."""
    assert_close(solution.one_hot(torch.tensor([2, 0, 2]), 3), torch.tensor([[0, 0, 1], [1, 0, 0], [0, 0, 1]]))


@sample
def test_sum_of_three_segments(solution):
    """Equal ids add up, an id that does not occur gives 0."""
    values, ids = torch.tensor([1.0, 2.0, 4.0, 8.0]), torch.tensor([2, 0, 2, 2])
    assert_close(solution.segment_sum(values, ids, 4), torch.tensor([2.0, 0.0, 13.0, 0.0]))


@sample
def test_root_of_three_numbers(solution):
    """safe_sqrt is the root of positive numbers and 0 for the others."""
    assert_close(solution.safe_sqrt(torch.tensor([4.0, 0.0, -9.0])), torch.tensor([2.0, 0.0, 0.0]))


@points(2)
@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 1, 3)], ids=["none", "batch-of-one", "batch", "three"])
def test_log_probs(solution, rng, shape):
    """Value or gradient is wrong for some number of leading dimensions: only the last dimension may go away."""
    a = rng.integer(3, 6)
    logits, actions = rng.randn(*shape, a, dtype=torch.float64), rng.randint(0, a, shape)
    assert_same_gradients(solution.action_log_probs, picked, (logits, actions), names=("logits", "actions"))


@points(2)
def test_large_logits(solution, rng):
    """Large logits are no reason for infinities: take log and softmax in one."""
    logits, actions = 3e4 * rng.randn(6, 4), rng.randint(0, 4, (6,))
    assert_close(solution.action_log_probs(logits, actions), picked(logits.double(), actions).float())


@points(3)
def test_forbidden_actions(solution, rng):
    """A logit of -inf must reach neither the other log-probabilities nor the gradients: 0 times infinity is NaN."""
    logits = rng.randn(5, 4, dtype=torch.float64)
    actions = rng.randint(0, 3, (5,))
    logits[torch.arange(5), actions + 1] = -INF
    assert_same_gradients(solution.action_log_probs, picked, (logits, actions), names=("logits", "actions"))


@points(1)
def test_a_forbidden_action_that_was_taken(solution, rng):
    """The log-probability of a forbidden action is -inf, not NaN and not a large number."""
    logits = rng.randn(2, 3)
    logits[1, 2] = -INF
    leaf = logits.clone().requires_grad_()
    actual = solution.action_log_probs(leaf, torch.tensor([0, 2]))
    assert_close(actual.detach()[1], torch.tensor(-INF))
    (gradient,) = torch.autograd.grad(actual, leaf, torch.ones(2))
    check(not bool(gradient.isnan().any()), "a gradient is NaN where a forbidden action was taken")


@points(1)
@EACH_DTYPE
def test_log_probs_without_rows(solution, rng, dtype):
    """No rows give no log-probabilities, in the dtype of the logits."""
    actual = solution.action_log_probs(rng.randn(0, 3, dtype=dtype), torch.zeros(0, dtype=torch.int64))
    assert_close(actual, torch.zeros(0, dtype=dtype))


@points(2)
@pytest.mark.parametrize("shape", [(), (5,), (0,), (3, 4)], ids=["none", "row", "empty", "matrix"])
def test_one_hot(solution, rng, shape):
    """one_hot adds a last dimension of size n to an index of any shape, transposed ones included."""
    n = rng.integer(4, 7)
    idx = rng.randint(0, n, shape)
    idx = idx.t() if len(shape) == 2 else idx
    expected = torch.tensor([[int(j == i) for j in range(n)] for i in idx.flatten().tolist()], dtype=torch.int64)
    assert_close(solution.one_hot(idx, n), expected.reshape(*idx.shape, n))


@points(2)
@pytest.mark.parametrize("rest", [(), (3,), (2, 3)], ids=["numbers", "rows", "matrices"])
def test_segment_sum(solution, rng, rest):
    """Sum or gradient is wrong: every value counts, in all its columns, however often its id occurs."""
    values, ids = rng.randn(12, *rest, dtype=torch.float64), rng.randint(0, 5, (12,))
    assert_same_gradients(solution.segment_sum, summed, (values, ids), names=("values", "ids"), n=7)


@points(1)
def test_few_segments(solution, rng):
    """Many values in two segments: nothing may be lost where ids repeat."""
    values, ids = rng.randn(60, 2), rng.randint(0, 2, (60,))
    assert_close(solution.segment_sum(values, ids, 2), summed(values, ids, 2))


@points(1)
@pytest.mark.parametrize("rest", [(), (3,)], ids=["numbers", "rows"])
def test_no_values(solution, rng, rest):
    """Without values every segment is empty, and zero; n says how many there are."""
    n = rng.integer(2, 5)
    actual = solution.segment_sum(torch.zeros(0, *rest), torch.zeros(0, dtype=torch.int64), n)
    assert_close(actual, torch.zeros(n, *rest))


@points(2)
def test_whole_numbers_are_exact(solution, rng):
    """Sums of int64 values are exact: no detour through floating point."""
    values, ids = 2**60 + rng.randint(0, 1000, (6,)), torch.tensor([0, 2, 0, 1, 0, 2])
    assert_close(solution.segment_sum(values, ids, 3), summed(values, ids, 3))


@points(2)
@pytest.mark.parametrize("bad", [INF, float("nan")], ids=["inf", "nan"])
def test_segments_are_apart(solution, rng, bad):
    """An inf or NaN belongs to its own segment: 0 times it, added elsewhere, is NaN."""
    values, ids = rng.randn(5, 2), torch.tensor([0, 1, 2, 1, 0])
    values[2, 1] = bad
    actual = solution.segment_sum(values, ids, 4)
    check(actual.shape == (4, 2), "the result has another shape than (n, ...)")
    assert_close(actual[[0, 1, 3]], summed(values, ids, 4)[[0, 1, 3]], name="the other segments")
    assert_close(actual[2], values[2], equal_nan=True, name="the segment that holds it")


@points(1)
@pytest.mark.parametrize("entry", ["log-probs", "segments"])
def test_strided_inputs(solution, rng, entry):
    """Indices go by position, not by memory: transposed and strided inputs give the same result."""
    ids = rng.randint(0, 4, (12,))[::2]
    values = rng.randn(4, 6).t()
    if entry == "segments":
        assert_close(solution.segment_sum(values, ids, 4), summed(values, ids, 4))
    else:
        assert_close(solution.action_log_probs(values, ids), picked(values, ids))


@points(2)
@pytest.mark.parametrize("bad", ["too-large", "negative"])
@pytest.mark.parametrize("entry", ["log-probs", "one-hot", "segments"])
def test_out_of_range(solution, rng, entry, bad):
    """An index outside its range is an error, also a negative one: nothing is counted from the end."""
    n = rng.integer(3, 6)
    call = {
        "log-probs": lambda idx: solution.action_log_probs(torch.zeros(2, n), idx),
        "one-hot": lambda idx: solution.one_hot(idx, n),
        "segments": lambda idx: solution.segment_sum(torch.ones(2, 3), idx, n),
    }[entry]
    check(call(torch.tensor([0, n - 1])).shape[0] in (2, n), "indices within the range give another shape")
    for index in (n, n + 7) if bad == "too-large" else (-1, -n, -100):
        with pytest.raises((IndexError, RuntimeError, ValueError)):
            call(torch.tensor([0, index]))


@attested
@points(2)
@pytest.mark.parametrize("entry", ["log-probs", "one-hot", "segments"])
def test_without_a_loop(solution, attest, rng, entry):
    """The number of operators must not grow with the number of rows, ids or segments."""
    ids, values = rng.randint(0, 100, (90,)), rng.randn(90, 100)
    call, arguments = {
        "log-probs": (solution.action_log_probs, (values, ids)),
        "one-hot": (solution.one_hot, (ids, 100)),
        "segments": (solution.segment_sum, (values, ids, 100)),
    }[entry]
    seen = attest(call, *arguments)
    calls = sum(count for name, count in seen.operators.items() if name.startswith("aten::"))
    check(calls <= MOST_OPERATORS, f"90 rows and more took over {MOST_OPERATORS} operators: is there a loop?")


@points(2)
@pytest.mark.parametrize("shape", [(), (6,), (2, 0), (3, 4)], ids=["none", "row", "empty", "matrix"])
def test_safe_sqrt(solution, rng, shape):
    """Root or gradient is wrong for some number above or below zero."""
    x = rng.randn(*shape, dtype=torch.float64)
    if x.numel() > 1:
        x = x.reshape(-1).index_fill(0, torch.tensor([1]), 0.0).index_fill(0, torch.tensor([2]), 2.0).reshape(shape)
    expected = torch.where(x > 0, x.clamp(min=0).sqrt(), torch.zeros_like(x))
    assert_close(solution.safe_sqrt(x), expected)
    if x.numel():
        assert_same_gradients(solution.safe_sqrt, rooted, x)


@points(3)
@EACH_DTYPE
def test_gradient_beside_the_root(solution, rng, dtype):
    """Where x is 0 or negative the gradient is 0, not NaN: both branches of a where take part in backward."""
    x = torch.tensor([0.0, -rng.uniform(1, 2), rng.uniform(1, 2), -0.0], dtype=dtype)
    assert_same_gradients(solution.safe_sqrt, rooted, x)


@points(2)
@EACH_DTYPE
def test_tiny_numbers_have_roots(solution, rng, dtype):
    """The root of a tiny number is exact: nothing is added to it, and it is not clamped."""
    tiny = torch.finfo(dtype).tiny / 8  # a subnormal number
    x = torch.tensor([tiny, 1e-30, 1e-20, 1e-10], dtype=dtype) * rng.uniform(1, 2)
    leaf = x.clone().requires_grad_()
    root = solution.safe_sqrt(leaf)
    assert_close(root / x.sqrt(), torch.ones(4, dtype=dtype), name="the root, relatively")
    root.sum().backward()
    assert_close(leaf.grad * 2 * x.sqrt(), torch.ones(4, dtype=dtype), name="the gradient, relatively")


@points(1)
def test_inputs_stay_as_they_are(solution, rng):
    """Nothing is written into the inputs."""
    ids = rng.randint(0, 3, (4,))
    assert_not_mutated(solution.action_log_probs, rng.randn(4, 3), ids)
    assert_not_mutated(solution.one_hot, ids, 3)
    assert_not_mutated(solution.segment_sum, rng.randn(4, 3), ids, 3)
    assert_not_mutated(solution.safe_sqrt, rng.randn(4, 3))
