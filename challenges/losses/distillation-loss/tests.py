"""Hidden tests: the distillation loss."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

C = 5
SHAPES = {"one-position": (), "batch": (6,), "sequences": (3, 4), "grid": (2, 3, 2)}
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def true_loss(student, teacher, labels, temperature, alpha):
    """In float64, rounded once."""
    log_q = torch.log_softmax(student.double() / temperature, -1)
    log_p = torch.log_softmax(teacher.detach().double() / temperature, -1)
    p = log_p.exp()
    soft = torch.where(p > 0, p * (log_p - log_q), 0.0).sum(-1).mean()
    hard = -torch.log_softmax(student.double(), -1).gather(-1, labels.unsqueeze(-1)).mean()
    return (alpha * temperature**2 * soft + (1 - alpha) * hard).to(student.dtype)


def data(rng, leading, dtype=torch.float64, size=2.0):
    shape = (*leading, C)
    return size * rng.randn(*shape, dtype=dtype), size * rng.randn(*shape, dtype=dtype), rng.randint(0, C, leading)


def check_same(solution, inputs, temperature, alpha, scale=1.0):
    """Values, and gradients for the student."""
    assert_same_gradients(
        solution.distill_loss,
        true_loss,
        (*inputs, temperature, alpha),
        wrt=[0],
        names=("student", "teacher", "labels"),
        scale=scale,
    )


@sample
@points(1)
def test_divergence_by_hand(solution):
    """KL of (3/4, 1/4) from (1/2, 1/2) at temperature 1: the teacher's probabilities are the weights."""
    teacher = torch.tensor([[3.0, 1.0]]).log()
    loss = solution.distill_loss(torch.zeros(1, 2), teacher, torch.tensor([0]), 1.0, 1.0)
    assert_close(loss, torch.tensor(0.75 * math.log(1.5) + 0.25 * math.log(0.5)))


@sample
@points(1)
def test_labels_alone(solution):
    """With alpha = 0 the loss is the cross entropy with the labels, at temperature 1."""
    student = torch.tensor([[1.0, 2.0, 5.0]]).log()  # probabilities 1/8, 2/8, 5/8
    loss = solution.distill_loss(student, torch.tensor([[9.0, 0.0, 0.0]]), torch.tensor([1]), 4.0, 0.0)
    assert_close(loss, torch.tensor(math.log(4.0)))


@sample
@points(1)
def test_student_and_teacher_agree(solution):
    """Where both agree there is nothing to learn: the soft term is 0, whatever the temperature is."""
    scores = torch.tensor([[4.0, -2.0, 1.0], [0.0, 0.0, 3.0]])
    for temperature in (0.5, 1.0, 8.0):
        loss = solution.distill_loss(scores, scores.clone(), torch.tensor([1, 1]), temperature, 1.0)
        # T * T = 64 times the rounding of a few numbers of size 2.
        assert_close(loss, torch.tensor(0.0), atol=1e-4)


@points(2)
@pytest.mark.parametrize("leading", SHAPES.values(), ids=SHAPES.keys())
def test_values_and_gradients(solution, rng, leading):
    """A value or a gradient is wrong for some shape: both means run over all positions, and not over the classes."""
    check_same(solution, data(rng, leading), rng.uniform(1.5, 4), rng.uniform(0.2, 0.8))


@points(2)
@pytest.mark.parametrize("temperature", [0.5, 1, 3.0, 20.0])
def test_temperatures(solution, rng, temperature):
    """The soft term alone at some temperature: both sides are softened, and T² keeps the size of the gradient."""
    check_same(solution, data(rng, (4, 3)), temperature, 1.0)


@points(2)
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1])
def test_mixtures(solution, rng, alpha):
    """Some alpha gives another mixture: alpha weighs the teacher, the rest the labels, which know no temperature."""
    check_same(solution, data(rng, (6,)), rng.uniform(2, 5), alpha)


@points(1)
@EACH_DTYPE
def test_dtypes(solution, rng, dtype):
    """The result has the dtype of the scores, and is computed in it."""
    check_same(solution, data(rng, (6,), dtype), rng.uniform(1, 3), rng.uniform(0.2, 0.8))


@points(3)
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_teacher_is_not_trained(solution, rng, alpha):
    """A gradient reaches the teacher, or none reaches the student: one of the two is a constant here."""
    student, teacher, labels = data(rng, (6,))
    student.requires_grad_(), teacher.requires_grad_()
    loss = solution.distill_loss(student, teacher, labels, 2.0, alpha)
    check(loss.requires_grad, "the loss is detached from the student")
    mine, theirs = torch.autograd.grad(loss, (student, teacher), allow_unused=True)
    check(mine is not None and bool(mine.any()), "no gradient reaches the student")
    check(theirs is None or not bool(theirs.any()), "a gradient reaches the teacher")


@points(2)
@EACH_DTYPE
def test_nothing_to_learn(solution, rng, dtype):
    """Where student and teacher agree, the soft term and its gradient are 0; nowhere is it negative."""
    scores, _, labels = data(rng, (4, 3), dtype)
    student = scores.clone().requires_grad_()
    loss = solution.distill_loss(student, scores, labels, 3.0, 1.0)
    assert_close(loss.detach(), torch.zeros((), dtype=dtype), atol=1e-5)
    (gradient,) = torch.autograd.grad(loss, student)
    assert_close(gradient, torch.zeros_like(scores), atol=1e-5, name="gradient of student")
    for size in (0.01, 1.0, 30.0):
        other = scores + size * rng.randn(4, 3, C, dtype=dtype)
        check(bool(solution.distill_loss(other, scores, labels, 3.0, 1.0) >= -1e-5), "the soft term is negative")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_scores_of_ten_thousand(solution, rng, dtype, temperature):
    """Huge scores: stay in the logarithm on the student's side, and let vanished probabilities of the teacher weigh nothing."""
    student, teacher, labels = (t if t.dtype is torch.int64 else (1e4 * t.clamp(-1, 1)) for t in data(rng, (6,), dtype))
    # float32 has steps of a thousandth at 10000: a logsumexp of that size is off by as much
    check_same(solution, (student, teacher, labels), temperature, 0.7, scale=100.0)


@points(2)
def test_excluded_classes(solution, rng):
    """A class that the teacher rules out has probability 0, and 0 log 0 counts as 0."""
    student, teacher, labels = data(rng, (6,))
    teacher[:, 0] = -math.inf
    teacher[2, 1:4] = -math.inf
    check_same(solution, (student, teacher, labels), rng.uniform(1, 3), 0.8)


@points(2)
@pytest.mark.parametrize(
    "what",
    [
        "zero-temperature",
        "negative-temperature",
        "alpha-above",
        "alpha-below",
        "teacher",
        "teacher-classes",
        "labels",
        "labels-too-few",
        "labels-without-a-dimension",
    ],
)
def test_what_does_not_fit_is_refused(solution, rng, what):
    """A temperature, a mixture or a shape that makes no sense is a ValueError; nothing is broadcast."""
    student, teacher, labels = data(rng, (4,))
    temperature = {"zero-temperature": 0.0, "negative-temperature": -2.0}.get(what, 2.0)
    alpha = {"alpha-above": 1.01, "alpha-below": -0.01}.get(what, 0.5)
    teacher = {"teacher": teacher[:1], "teacher-classes": teacher[:, :3]}.get(what, teacher)
    few = {"labels-too-few": labels[:3], "labels-without-a-dimension": labels[0]}
    labels = {"labels": labels[:, None], **few}.get(what, labels)
    with pytest.raises(ValueError):
        solution.distill_loss(student, teacher, labels, temperature, alpha)


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided"])
def test_layouts(solution, rng, layout):
    """Inputs that are not contiguous are tensors like any other."""
    if layout == "transposed":
        student, teacher = (rng.randn(C, 4, 3, dtype=torch.float64).permute(2, 1, 0) for _ in range(2))
        labels = rng.randint(0, C, (4, 3)).t()
    else:
        student, teacher = (rng.randn(6, 2 * C, dtype=torch.float64)[::2, ::2] for _ in range(2))
        labels = rng.randint(0, C, (6,))[::2]
    check_same(solution, (student, teacher, labels), 2.0, 0.5)


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither the scores nor the labels may be written to."""
    assert_not_mutated(solution.distill_loss, *data(rng, (3, 4)), 2.0, 0.5)
