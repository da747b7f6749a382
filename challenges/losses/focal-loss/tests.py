"""Hidden tests: the focal loss."""

import math

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_gradcheck,
    assert_ignores_mode,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
C = 5
SHAPES = {"rows": (7,), "sequences": (3, 4), "images": (2, 3, 2)}
EACH_SHAPE = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
EACH_REDUCTION = pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def true_loss(scores, target, gamma, alpha=None, reduction="mean"):
    """The definition, with a base that is kept above 0."""
    picked = torch.log_softmax(scores.movedim(1, -1), -1).gather(-1, target[..., None])[..., 0]
    rest = torch.maximum(-torch.expm1(picked), torch.full_like(picked, 1e-300 if scores.dtype == F64 else 1e-37))
    weight = torch.ones(C, dtype=scores.dtype)[target] if alpha is None else alpha.to(scores.dtype)[target]
    loss = -weight * rest**gamma * picked
    return {"none": loss, "sum": loss.sum(), "mean": loss.sum() / weight.sum()}[reduction]


def data(rng, shape, dtype=F64, size=1.5):
    """Scores, targets and weights."""
    scores = size * rng.randn(shape[0], C, *shape[1:], dtype=dtype)
    return scores, rng.randint(0, C, shape), 0.5 + 3 * rng.rand(C)


def check_same(solution, scores, target, gamma, alpha=None, reduction="mean", scale=4.0):
    """Values, and gradients for the scores."""
    module = solution.FocalLoss(gamma, alpha, reduction).to(scores.dtype)
    expected = lambda s, t: true_loss(s, t, gamma, alpha, reduction)  # noqa: E731
    assert_same_gradients(module, expected, (scores, target), wrt=[0], names=("scores", "target"), scale=scale)


@sample
@points(1)
def test_two_samples_by_hand(solution):
    """With probabilities 3/4 and 1/4 of the right class and gamma 2, the factors are 1/16 and 9/16."""
    scores = torch.tensor([[3.0, 1.0], [3.0, 1.0]]).log()
    loss = solution.FocalLoss(2.0, None, "none")(scores, torch.tensor([0, 1]))
    assert_close(loss, torch.tensor([math.log(4 / 3) / 16, math.log(4.0) * 9 / 16]))


@sample
@points(1)
def test_a_weight_is_a_factor(solution):
    """A weight of 5 makes the loss of its class five times as large, and changes nothing else."""
    scores = torch.tensor([[3.0, 1.0], [3.0, 1.0]]).log()
    loss = solution.FocalLoss(2.0, [5.0, 1.0], "none")(scores, torch.tensor([0, 1]))
    assert_close(loss, torch.tensor([5 * math.log(4 / 3) / 16, math.log(4.0) * 9 / 16]))


@sample
@points(1)
def test_gamma_zero(solution):
    """At gamma = 0 the loss is weighted cross entropy, and so is its mean."""
    scores, target, weights = torch.tensor([[2.0, 0.0], [1.0, 3.0]]), torch.tensor([0, 0]), torch.tensor([2.0, 7.0])
    assert_close(solution.FocalLoss(0, weights)(scores, target), F.cross_entropy(scores, target, weights))


@points(2)
@EACH_SHAPE
@pytest.mark.parametrize("gamma", [0.5, 1, 2.0, 3.5])
def test_values_and_gradients(solution, rng, shape, gamma):
    """A value or a gradient is wrong for some gamma or some number of dimensions: the classes are in dimension 1."""
    scores, target, alpha = data(rng, shape)
    check_same(solution, scores, target, gamma, alpha)


@points(2)
@EACH_REDUCTION
@EACH_DTYPE
def test_reductions(solution, rng, reduction, dtype):
    """A reduction is wrong: the mean divides by the sum of the weights that were used, not by the number of samples."""
    scores, target, alpha = data(rng, (3, 4), dtype)
    check_same(solution, scores, target, 2.0, alpha, reduction)
    check_same(solution, scores, target, 1.5, None, reduction)


@points(2)
@EACH_REDUCTION
def test_weighted_cross_entropy(solution, rng, reduction):
    """At gamma = 0 values and gradients must be those of F.cross_entropy with the same weights and reduction."""
    scores, target, alpha = data(rng, (4, 3))
    module = solution.FocalLoss(0.0, alpha.tolist(), reduction).to(F64)
    expected = lambda s, t: F.cross_entropy(s, t, weight=alpha.double(), reduction=reduction)  # noqa: E731
    assert_same_gradients(module, expected, (scores, target), wrt=[0], names=("scores", "target"), scale=4.0)


@points(3)
def test_the_factor_knows_no_weight(solution, rng):
    """The probability in the factor is that of the class: take it before the weight is multiplied, not from a weighted loss."""
    scores, target, alpha = data(rng, (7,))
    plain = solution.FocalLoss(2.0, None, "none").to(F64)(scores, target)
    weighted = solution.FocalLoss(2.0, alpha, "none").to(F64)(scores, target)
    assert_close(weighted, alpha.double()[target] * plain, scale=4.0)


@points(2)
def test_confident_samples(solution, rng):
    """A sample with the probability p weighs (1 - p) to the power of gamma times its cross entropy."""
    gap = torch.tensor([0.5, 2.0, 6.0, 10.0], dtype=F64) + rng.uniform(0, 1)
    scores = torch.stack([gap, torch.zeros(4, dtype=F64)], 1)
    target, gamma = torch.zeros(4, dtype=torch.int64), rng.uniform(1.2, 3)
    loss = solution.FocalLoss(gamma, None, "none").to(F64)(scores, target)
    ratio = loss / F.cross_entropy(scores, target, reduction="none")
    assert_close(ratio, torch.sigmoid(-gap) ** gamma, rtol=1e-6)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("gamma", [0, 0.5, 1.0, 2.0])
def test_sure_samples(solution, dtype, gamma):
    """Where the probability is exactly 1, loss and gradient are 0, for a gamma between 0 and 1 as well."""
    scores = torch.tensor([[1e4, 0.0, -1e4], [0.0, 300.0, 0.0]], dtype=dtype, requires_grad=True)
    loss = solution.FocalLoss(gamma, None, "sum").to(dtype)(scores, torch.tensor([0, 1]))
    (gradient,) = torch.autograd.grad(loss, scores)
    assert_close(loss.detach(), torch.zeros((), dtype=dtype), atol=1e-12)
    assert_close(gradient, torch.zeros(2, 3, dtype=dtype), atol=1e-12, name="gradient of scores")


@points(2)
@EACH_DTYPE
def test_hopeless_samples(solution, rng, dtype):
    """Where the probability rounds to 0, the loss is large and finite: stay in the logarithm."""
    scores = torch.tensor([[-1e4, 1e4, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 5e3, -5e3]], dtype=dtype)
    check_same(solution, scores, torch.tensor([0, 4]), rng.uniform(0.4, 3.0), None, "none")


@points(1)
@EACH_REDUCTION
def test_gradcheck(solution, rng, reduction):
    """The gradient must be the derivative of the value: nothing in the factor may be detached."""
    scores, target, alpha = data(rng, (3,))
    module = solution.FocalLoss(2.0, alpha, reduction).to(F64)
    assert_gradcheck(lambda s: module(s, target), (scores,))


@points(1)
def test_defaults(solution, rng):
    """gamma is 2, alpha is None and reduction is mean unless given."""
    scores, target, _ = data(rng, (6,))
    assert_close(solution.FocalLoss().to(F64)(scores, target), true_loss(scores, target, 2.0), scale=4.0)


@points(2)
@EACH_DTYPE
def test_state(solution, rng, dtype):
    """The weights are a buffer named alpha: saved, moved with the module, and not learnt."""
    alpha = rng.rand(C)
    module = solution.FocalLoss(2.0, alpha).to(dtype)
    state = module.state_dict()
    check(list(state) == ["alpha"], "the state_dict must hold alpha and nothing else")
    assert_close(state["alpha"], alpha.to(dtype), name="alpha")
    check(not list(module.parameters()), "a loss with weights has no parameters")
    check(not list(solution.FocalLoss(2.0).state_dict()), "without weights the state_dict must be empty")


@points(1)
@pytest.mark.parametrize("weights", [[1.0] * C, [1] * C, torch.arange(C)], ids=["floats", "integers", "tensor"])
def test_loaded_weights(solution, rng, weights):
    """Weights that are loaded count, also if the module was made with integers: the buffer is floating-point."""
    scores, target, alpha = data(rng, (6,))
    module = solution.FocalLoss(1.5, weights).to(F64)
    module.load_state_dict({"alpha": alpha.double()})
    assert_close(module(scores, target), true_loss(scores, target, 1.5, alpha), scale=4.0)


@points(1)
def test_the_weights_are_a_copy(solution, rng, probes):
    """The buffer shares memory with the tensor that was given: loading a state writes to that tensor, and the reverse."""
    alpha, loaded = rng.rand(C), 2 + rng.rand(C)
    given, buffer = probes.load_and_overwrite(alpha, loaded)
    assert_close(given, alpha, name="the tensor that was given, after a load")
    assert_close(buffer, loaded, name="the buffer, after the tensor that was given is overwritten")


@points(1)
def test_a_class_without_weight(solution, rng):
    """A class with the weight 0 contributes nothing to the sum, and nothing to what the mean divides by."""
    scores, target, alpha = data(rng, (9,))
    alpha[1], target[:4] = 0.0, torch.tensor([1, 1, 0, 2])
    check_same(solution, scores, target, 2.0, alpha)


@points(1)
@pytest.mark.parametrize(
    "arguments", [(-0.5,), (2.0, None, "average"), (2.0, [1.0, 2.0], None)], ids=["gamma", "name", "none"]
)
def test_refused(solution, arguments):
    """A negative gamma and an unknown reduction are a ValueError when the module is made."""
    with pytest.raises(ValueError):
        solution.FocalLoss(*arguments)


@points(1)
def test_mode_and_arguments(solution, rng):
    """train() and eval() give the same, and neither scores nor targets are written to."""
    scores, target, alpha = data(rng, (3, 2))
    module = solution.FocalLoss(2.0, alpha).to(F64)
    assert_ignores_mode(module, scores, target)
    assert_not_mutated(module, scores, target)
