"""Hidden tests: cross entropy of a linear layer, a few rows at a time."""

import math

import pytest
import torch
import torch.nn.functional as F

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
NAMES = ["hidden", "weight"]


def drawn(rng, n, d, classes, dtype=F64, ignored=0.0, ignore_index=-100):
    """hidden, weight, target; the first position counts, and the second does not if some are ignored."""
    target = rng.randint(0, classes, (n,))
    mask = rng.mask(n, p=ignored)
    target[0], mask[0], mask[1:2] = (ignore_index + 1) % classes, False, ignored > 0
    return rng.randn(n, d, dtype=dtype), rng.randn(classes, d, dtype=dtype), torch.where(mask, ignore_index, target)


def whole(hidden, weight, target, ignore_index=-100, label_smoothing=0.0):
    """All logits at once."""
    return F.cross_entropy(hidden @ weight.T, target, ignore_index=ignore_index, label_smoothing=label_smoothing)


def check_same(solution, hidden, weight, target, chunk, **options):
    assert_same_gradients(
        lambda h, w: solution.chunked_cross_entropy(h, w, target, chunk, **options),
        lambda h, w: whole(h, w, target, **options),
        (hidden, weight),
        names=NAMES,
    )


@sample
@points(1)
def test_equal_scores(solution):
    """Weights of zero give equal scores for all four classes: the loss is log 4."""
    loss = solution.chunked_cross_entropy(torch.ones(5, 3), torch.zeros(4, 3), torch.tensor([0, 1, 2, 3, 0]), 2)
    assert_close(loss, torch.tensor(math.log(4)))


@sample
@points(1)
def test_worked_example(solution):
    """The example of the statement: scores log 3 and 0 for the classes, and two positions that count."""
    hidden, weight = torch.tensor([[math.log(3)], [0.0], [9.0]]), torch.tensor([[1.0], [0.0]])
    hidden.requires_grad_()
    loss = solution.chunked_cross_entropy(hidden, weight, torch.tensor([0, 1, -100]), 1)
    assert_close(loss, torch.tensor((math.log(4 / 3) + math.log(2)) / 2))
    loss.backward()
    assert_close(hidden.grad, torch.tensor([[-0.125], [0.25], [0.0]]), name="gradient of hidden")


@sample
@points(1)
def test_nothing_counts(solution):
    """If every position is ignored, the loss and all gradients are 0."""
    hidden, weight = torch.ones(3, 2, requires_grad=True), torch.ones(4, 2, requires_grad=True)
    loss = solution.chunked_cross_entropy(hidden, weight, torch.full((3,), -100), 2)
    assert_close(loss, torch.tensor(0.0))
    loss.backward()
    assert_close(hidden.grad, torch.zeros(3, 2), name="gradient of hidden")
    assert_close(weight.grad, torch.zeros(4, 2), name="gradient of weight")


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("chunk", [1, 3, 5, 12, 50])
def test_chunks(solution, rng, chunk, dtype):
    """Loss or gradients depend on the chunk: it may divide the number of positions or not, and may be larger than it."""
    check_same(solution, *drawn(rng, 12, 5, 7, dtype), chunk)


@points(3)
@pytest.mark.parametrize("chunk", [2, 5])
def test_ignored_positions(solution, rng, chunk):
    """Ignored positions count neither in the sum nor in what it is divided by; chunks may hold many of them, or nothing else."""
    hidden, weight, target = drawn(rng, 17, 4, 6, ignored=0.4)
    target[6:12] = -100
    check_same(solution, hidden, weight, target, chunk)


@points(1)
def test_one_position(solution, rng):
    """A single position counts, alone or among ignored ones: the mean of one number is this number."""
    check_same(solution, *drawn(rng, 1, 4, 6), 3)
    check_same(solution, *drawn(rng, 7, 4, 6, ignored=1.0), 3)


@points(2)
@pytest.mark.parametrize("ignore_index", [0, 5, -1])
def test_other_ignore_index(solution, rng, ignore_index):
    """Any index may be the one to ignore, also that of a class: the class still is in the normaliser."""
    check_same(solution, *drawn(rng, 13, 4, 6, ignored=0.3, ignore_index=ignore_index), 4, ignore_index=ignore_index)


@points(3)
@pytest.mark.parametrize("smoothing", [0.1, 0.5, 1.0])
def test_label_smoothing(solution, rng, smoothing):
    """With smoothing the loss or a gradient differs: ε of the target is spread over all classes, the right one included."""
    check_same(solution, *drawn(rng, 11, 4, 6, ignored=0.3), 3, label_smoothing=smoothing)


@points(3)
@pytest.mark.parametrize("value", [math.nan, math.inf], ids=["nan", "inf"])
def test_what_is_ignored_may_be_nan(solution, rng, value):
    """NaN or infinity in an ignored row of hidden reaches the loss or a gradient: zero times NaN is NaN."""
    hidden, weight, target = drawn(rng, 9, 4, 6)
    target[[2, 5]] = -100
    clean = hidden.clone()
    hidden[[2, 5]] = value
    hidden.requires_grad_(), weight.requires_grad_(), clean.requires_grad_()
    loss = solution.chunked_cross_entropy(hidden, weight, target, 4)
    expected = whole(clean, weight, target)
    assert_close(loss, expected.detach())
    found = torch.autograd.grad(loss, (hidden, weight))
    for name, one, other in zip(NAMES, found, torch.autograd.grad(expected, (clean, weight)), strict=True):
        assert_close(one, other, name=f"gradient of {name}")


@points(2)
def test_large_scores(solution):
    """Scores of ±10⁴: the loss is exact and finite, and so are the gradients."""
    hidden = torch.tensor([[1e2], [-1e2], [1e2]], requires_grad=True)
    weight = torch.tensor([[1e2], [-1e2]], requires_grad=True)
    loss = solution.chunked_cross_entropy(hidden, weight, torch.tensor([0, 0, 1]), 2)
    assert_close(loss, torch.tensor(4e4 / 3))
    loss.backward()
    assert_close(hidden.grad, torch.tensor([[0.0], [-200 / 3], [200 / 3]]), name="gradient of hidden")
    assert_close(weight.grad, torch.tensor([[200 / 3], [-200 / 3]]), name="gradient of weight")


@points(3)
def test_any_gradient_arrives(solution, rng):
    """The loss is part of something larger: its gradient is not always 1, and it may be asked for twice."""
    hidden, weight, target = drawn(rng, 10, 4, 6, ignored=0.2)
    leaves = hidden.requires_grad_(), weight.requires_grad_()
    loss, expected = solution.chunked_cross_entropy(*leaves, target, 3), whole(*leaves, target)
    for factor in (rng.uniform(2.0, 5.0), -0.5, 1.0):
        upstream = torch.tensor(factor, dtype=F64)
        found = torch.autograd.grad(loss, leaves, upstream, retain_graph=True)
        wanted = torch.autograd.grad(expected, leaves, upstream, retain_graph=True)
        for name, one, other in zip(NAMES, found, wanted, strict=True):
            assert_close(one, other, name=f"gradient of {name}")


@points(1)
@pytest.mark.parametrize("asked", NAMES)
def test_one_of_the_two(solution, rng, asked):
    """Only one of the inputs requires a gradient: a frozen layer, or an embedding that is not trained."""
    hidden, weight, target = drawn(rng, 10, 4, 6, ignored=0.2)
    leaf = {"hidden": hidden, "weight": weight}[asked].requires_grad_()
    solution.chunked_cross_entropy(hidden, weight, target, 3).backward()
    found, leaf.grad = leaf.grad, None
    whole(hidden, weight, target).backward()
    assert_close(found, leaf.grad, name=f"gradient of {asked}")


@points(1)
def test_finite_differences(solution, rng):
    """The gradients do not agree with finite differences of the loss."""
    hidden, weight, target = drawn(rng, 5, 3, 4, ignored=0.2)
    assert_gradcheck(
        lambda h, w: solution.chunked_cross_entropy(h, w, target, 2, -100, 0.2), (hidden, weight), names=NAMES
    )


@attested
@points(4)
@pytest.mark.parametrize("n", [96, 400], ids=["96", "400"])
def test_largest_tensor(solution, attest, rng, n):
    """An operator of the forward or backward pass produced a tensor that is too large: only one chunk of logits at a time."""
    d, classes, chunk = 6, 160, 8
    hidden, weight, target = drawn(rng, n, d, classes, F32, ignored=0.2)
    leaves = hidden.requires_grad_(), weight.requires_grad_()
    limit = max(chunk * classes, n * d, classes * d)
    seen = attest(solution.chunked_cross_entropy, *leaves, target, chunk, -100, 0.1)
    assert_close(seen.result, whole(*leaves, target, label_smoothing=0.1))
    check(seen.largest_numel <= limit, "an operator of the forward pass produced more elements than allowed")
    seen = attest.backward(solution.chunked_cross_entropy, *leaves, target, chunk, -100, 0.1)
    check(seen.largest_numel <= limit, "an operator of the backward pass produced more elements than allowed")


@attested
@points(3)
def test_what_is_kept(solution, attest, rng):
    """Too much is kept for the backward pass, or without save_for_backward: small tensors of all chunks together count, too."""
    n, d, classes = 96, 6, 160
    hidden, weight, target = drawn(rng, n, d, classes, F32, ignored=0.2)
    seen = attest(solution.chunked_cross_entropy, hidden.requires_grad_(), weight.requires_grad_(), target, 8)
    kept = sum(one.bytes for one in seen.saved if one.is_input is None)
    # eight bytes for each element that the statement allows: a target is int64
    check(kept <= 8 * (n + classes) * (d + 4), "more is kept for the backward pass than the statement allows")
    check(seen.extra_attributes == [], "keep tensors with save_for_backward")


@points(1)
def test_without_a_graph(solution, rng):
    """Under no_grad the loss is the same and has no graph."""
    hidden, weight, target = drawn(rng, 10, 4, 6, ignored=0.2)
    with torch.no_grad():
        loss = solution.chunked_cross_entropy(hidden.requires_grad_(), weight.requires_grad_(), target, 3)
    check(not loss.requires_grad, "the loss has a graph")
    assert_close(loss, whole(hidden, weight, target).detach())


@points(1)
def test_layouts(solution, rng):
    """Transposed and strided inputs are tensors like any other; arguments stay as they were, and no call depends on another."""
    for _ in range(2):
        hidden, weight = rng.randn(4, 9, dtype=F64).T, rng.randn(6, 8, dtype=F64)[:, ::2]
        target = rng.randint(0, 6, (18,))[::2]
        target[3] = -100
        found = assert_not_mutated(solution.chunked_cross_entropy, hidden, weight, target, 2)
        assert_close(found, whole(hidden, weight, target))
        check_same(solution, hidden, weight, target, 2)
