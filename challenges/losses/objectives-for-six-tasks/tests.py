"""Hidden tests: make_objective. Every loss is computed again from its formula."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
TASKS = ["multi-class", "multi-label", "binary", "regression", "ranking", "distribution"]
N, C = 7, 5


def softplus(x):
    return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))


def true_loss(task, outputs, raw):
    if task == "multi-class":
        picked = torch.stack([row[int(k)] for row, k in zip(outputs, raw.flatten(), strict=True)])
        return (outputs.logsumexp(1) - picked).mean()
    if task == "multi-label":
        rows = [[1.0 if c in classes else 0.0 for c in range(outputs.shape[1])] for classes in raw]
        return (softplus(outputs) - torch.tensor(rows, dtype=outputs.dtype) * outputs).mean()
    if task == "binary":
        return (softplus(outputs[:, 0]) - raw.to(outputs.dtype) * outputs[:, 0]).mean()
    if task == "regression":
        error = (outputs[:, 0] - raw.to(outputs.dtype)).abs()
        return torch.where(error < 1, error * error / 2, error - 0.5).mean()
    if task == "ranking":
        a, p, n = outputs
        return ((a - p).square().sum(1).sqrt() - (a - n).square().sum(1).sqrt() + 1).clamp(min=0).mean()
    p = raw.to(outputs.dtype) / raw.sum(1, keepdim=True)
    logs = outputs - outputs.logsumexp(1, keepdim=True)
    return (torch.special.xlogy(p, p) - p * logs).sum(1).mean()


def data(rng, task, dtype=F64):
    """(outputs, raw) of a task, with labels as a data set would hold them."""
    scores = 2 * rng.randn(N, C, dtype=dtype)
    if task == "multi-class":
        return scores, rng.randint(0, C, (N, 1)).to(torch.int32)
    if task == "multi-label":
        return scores, [[3, 0], [], [1], [4, 2, 0], [2], [0, 1, 2, 3, 4], [rng.integer(0, C)]]
    if task == "binary":
        return scores[:, :1].contiguous(), rng.randn(N) > 0
    if task == "regression":
        return scores[:, :1].contiguous(), rng.randint(-4, 5, (N,))
    if task == "ranking":
        # Redrawn while a triplet lies near the kink of the hinge, where torch's 1e-6 decides about its gradient.
        while True:
            a, p, n = (rng.randn(N, C, dtype=dtype) for _ in range(3))
            if ((a - p).norm(dim=1) - (a - n).norm(dim=1) + 1).abs().min() > 1e-3:
                return (a, p, n), None
    return scores, rng.randint(0, 4, (N, C)) + torch.eye(C, dtype=torch.int64)[rng.randint(0, C, (N,))]


def compare(probes, task, outputs, raw, scale=4.0):
    """Loss and gradients against the formula, which is computed in float64 and rounded once."""
    found = probes.use(task, outputs, raw)
    several = isinstance(outputs, tuple)
    given = outputs if several else (outputs,)
    leaves = [t.detach().to(F64, copy=True).requires_grad_() for t in given]
    expected = true_loss(task, tuple(leaves) if several else leaves[0], raw)
    # torch's triplet loss adds 1e-6 to each difference
    options = {"atol": 2e-5} if task == "ranking" else {"scale": scale}
    assert_close(found["loss"], expected.detach().to(given[0].dtype), name="loss", **options)
    for one, other in zip(found["gradients"], torch.autograd.grad(expected, leaves), strict=True):
        check(one is not None, "no gradient reaches the outputs")
        assert_close(one, other.to(given[0].dtype), name="gradient", **options)
    check(found["unchanged"], "raw or outputs have been modified")


@sample
@points(1)
def test_equal_scores(probes):
    """With equal scores for three classes the loss is log 3; class numbers come as an int32 column."""
    found = probes.use("multi-class", torch.zeros(2, 3), torch.tensor([[0], [2]], dtype=torch.int32))
    assert_close(found["loss"], torch.tensor(3.0).log())


@sample
@points(1)
def test_a_column_of_scores(probes):
    """Scores of log 3 and -log 3 give the classes true and false a probability of 3/4 each."""
    scores = torch.tensor([[math.log(3.0)], [-math.log(3.0)]])
    assert_close(probes.use("binary", scores, torch.tensor([True, False]))["loss"], torch.tensor(math.log(4 / 3)))


@sample
@points(1)
def test_two_triplets(probes):
    """The first triplet is ranked with room to spare and costs nothing, the second is off by 5 and costs 6."""
    anchor = torch.zeros(2, 2)
    near, far = torch.tensor([[0.0, 1.0], [3.0, 4.0]]), torch.tensor([[6.0, 8.0], [0.0, 0.0]])
    found = probes.use("ranking", (anchor, near, far), None)
    assert_close(found["loss"], torch.tensor(3.0), atol=1e-4)


@points(2)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("task", TASKS)
def test_values_and_gradients(probes, rng, task, dtype):
    """The loss of some task or its gradient is off: look at its row of the table, and at both shapes."""
    compare(probes, task, *data(rng, task, dtype))


@points(1)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32, torch.int64], ids=["uint8", "int32", "int64"])
@pytest.mark.parametrize("column", [True, False], ids=["column", "row"])
def test_class_numbers(probes, rng, dtype, column):
    """Class numbers may come as a row or a column, and in several integer dtypes."""
    raw = rng.randint(0, C, (N,)).to(dtype)
    compare(probes, "multi-class", rng.randn(N, C, dtype=F64), raw[:, None] if column else raw)


@points(1)
@pytest.mark.parametrize("task", TASKS)
def test_one_sample(probes, rng, task):
    """A batch of one sample: its dimension of size 1 has to stay."""
    outputs, raw = data(rng, task)
    outputs = tuple(t[:1] for t in outputs) if isinstance(outputs, tuple) else outputs[:1]
    compare(probes, task, outputs, None if raw is None else raw[:1])


@points(1)
@pytest.mark.parametrize("kind", ["int64", "float32", "float64"])
def test_numbers_for_regression(probes, rng, kind):
    """Numbers may be integers, or of another floating dtype than the predictions."""
    raw = (3 * rng.randn(N, dtype=F64)).to(getattr(torch, kind))
    compare(probes, "regression", rng.randn(N, 1), raw)


@points(1)
def test_an_outlier(probes, rng):
    """Beyond an error of 1 the gradient of the regression loss does not grow: an outlier pulls no more than others."""
    outputs, raw = rng.randn(N, 1, dtype=F64), torch.full((N,), 1e6, dtype=F64)
    found = probes.use("regression", outputs, raw)
    assert_close(found["gradients"][0], torch.full((N, 1), -1 / N, dtype=F64), name="gradient")


@points(1)
@pytest.mark.parametrize("task", ["multi-class", "multi-label", "binary", "distribution"])
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_large_scores(probes, rng, task, dtype):
    """Scores of ten thousand: losses take the scores as they are, so no probability is rounded to 0."""
    for _ in range(4):
        outputs, raw = data(rng, task, dtype)
        # float32 has steps of a thousandth at 10000: a logsumexp of that size is off by as much
        compare(probes, task, 1e4 * outputs.sign(), raw, scale=100.0)


@points(1)
def test_nothing_to_learn(probes, rng):
    """Where the softmax equals the shares of the votes, the divergence is 0, and classes without votes add nothing."""
    raw = torch.tensor([[1, 3, 0], [2, 2, 0]])
    scores = torch.tensor([[1.0, 3.0, 1e-30], [2.0, 2.0, 1e-30]], dtype=F64).log() + rng.uniform(-3, 3)
    found = probes.use("distribution", scores, raw)
    assert_close(found["loss"], torch.zeros((), dtype=F64), atol=1e-12)


@points(1)
def test_easy_triplets(probes, rng):
    """A triplet whose negative is farther away than the positive by more than 1 costs nothing and has no gradient."""
    anchor = rng.randn(N, C, dtype=F64)
    compare(probes, "ranking", (anchor, anchor + 0.01 * rng.rand(N, C, dtype=F64), anchor + 9.0), None)


@points(1)
def test_two_objectives_at_once(probes, rng):
    """An objective does not change when another one is made."""
    first, second = (("binary", *data(rng, "binary")), ("regression", *data(rng, "regression")))
    found = probes.interleaved(first, second)
    assert_close(found[0], true_loss(*first), scale=4.0, name="the first loss")
    assert_close(found[1], true_loss(*second), scale=4.0, name="the second loss")


@points(1)
@pytest.mark.parametrize("task", ["multiclass", "", None])
def test_unknown_tasks(probes, task):
    """For a task that is not in the table, make_objective itself raises ValueError, before one of its functions is called."""
    with pytest.raises(ValueError):
        probes.made(task)
