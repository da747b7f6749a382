"""Hidden tests: a classifier whose loss was negative."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    check,
    points,
    sample,
)

LEADING = {"one-position": (), "batch": (6,), "sequences": (3, 4), "grid": (2, 3, 2), "as-many-as-classes": (3, 3)}
EACH_LEADING = pytest.mark.parametrize("leading", LEADING.values(), ids=LEADING.keys())
SIZES = (4, 5, 3)


def weights_for(rng, dtype=torch.float64, size=1.0):
    features, hidden, classes = SIZES
    shapes = {"hidden.weight": (hidden, features), "hidden.bias": (hidden,)}
    shapes |= {"output.weight": (classes, hidden), "output.bias": (classes,)}
    return {name: size * rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}


def made(solution, weights):
    model = solution.Classifier(*SIZES).to(weights["output.bias"].dtype)
    model.load_state_dict(weights)
    return model


def true_scores(weights, x):
    inner = F.relu(F.linear(x, weights["hidden.weight"], weights["hidden.bias"]))
    return F.linear(inner, weights["output.weight"], weights["output.bias"])


def true_loss(weights, x, target):
    scores = true_scores(weights, x)
    return F.cross_entropy(scores.reshape(-1, scores.shape[-1]), target.reshape(-1))


def data(rng, leading, dtype=torch.float64):
    return rng.randn(*leading, SIZES[0], dtype=dtype), rng.randint(0, SIZES[2], leading)


@sample
@points(1)
def test_loss_of_equal_scores(solution):
    """With all weights at zero every class has probability 1/3, and the loss is log 3."""
    weights = {
        name: torch.zeros(shape)
        for name, shape in zip(
            ("hidden.weight", "hidden.bias", "output.weight", "output.bias"), ((5, 4), (5,), (3, 5), (3,)), strict=True
        )
    }
    loss = made(solution, weights).loss(torch.ones(2, 4), torch.tensor([0, 2]))
    assert_close(loss.detach(), torch.tensor(3.0).log(), name="loss")


@sample
@points(1)
def test_probabilities_of_a_sequence(solution):
    """The probabilities of one position sum to 1 over the classes, whatever stands beside it."""
    weights = {
        "hidden.weight": torch.eye(5, 4),
        "hidden.bias": torch.zeros(5),
        "output.weight": torch.eye(3, 5),
        "output.bias": torch.tensor([0.0, 0.0, 1.0]),
    }
    x = torch.tensor([[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]])
    expected = torch.softmax(torch.tensor([[[1.0, 0.0, 1.0], [0.0, 2.0, 1.0]]]), -1)
    assert_close(made(solution, weights).predict_proba(x).detach(), expected)


@sample
@points(1)
def test_forward_gives_log_probabilities(solution):
    """forward returns logarithms of probabilities: none is above 0, and their exponentials sum to 1."""
    torch.manual_seed(3)
    model = solution.Classifier(4, 5, 3)
    out = model(torch.linspace(-1, 1, 8).reshape(2, 4)).detach()
    check(bool((out <= 0).all()), "a log-probability is above 0")
    assert_close(out.exp().sum(-1), torch.ones(2))


@points(2)
@EACH_LEADING
def test_log_probabilities(solution, rng, leading):
    """forward differs from the log-softmax over the classes for some number of leading dimensions."""
    weights = weights_for(rng)
    x, _ = data(rng, leading)
    assert_close(made(solution, weights)(x).detach(), F.log_softmax(true_scores(weights, x), -1))


@points(2)
@EACH_LEADING
def test_probabilities(solution, rng, leading):
    """predict_proba differs from the softmax over the classes: normalise once, and over the right dimension."""
    weights = weights_for(rng)
    x, _ = data(rng, leading)
    assert_close(made(solution, weights).predict_proba(x).detach(), torch.softmax(true_scores(weights, x), -1))


@points(2)
@EACH_LEADING
def test_loss_and_gradients(solution, rng, leading):
    """The loss or a gradient differs from the cross entropy, averaged over all positions."""
    weights = weights_for(rng)
    x, target = data(rng, leading)
    model = made(solution, weights)
    loss = model.loss(x, target)
    leaves = {name: value.clone().requires_grad_() for name, value in weights.items()}
    expected = true_loss(leaves, x, target)
    assert_close(loss.detach(), expected.detach(), name="loss")
    loss.backward()
    expected.backward()
    for name, parameter in model.named_parameters():
        assert_close(parameter.grad, leaves[name].grad, name=f"gradient of {name}", scale=4)


@points(1)
def test_float32(solution, rng):
    """In float32 the loss and the log-probabilities are float32."""
    weights = weights_for(rng, torch.float32)
    x, target = data(rng, (3, 4), torch.float32)
    model = made(solution, weights)
    assert_close(model(x).detach(), F.log_softmax(true_scores(weights, x), -1))
    assert_close(model.loss(x, target).detach(), true_loss(weights, x, target), name="loss")


@points(3)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_hopeless_positions(solution, rng, dtype):
    """With scores of 10000 the loss is large and finite, and so is its gradient: never form the probability first."""
    weights = weights_for(rng, dtype, 0.1)
    weights["output.bias"] = torch.tensor([1e4, -1e4, 0.0], dtype=dtype)
    x, _ = data(rng, (2, 3), dtype)
    target = torch.tensor([[1, 1, 2], [0, 2, 1]])
    model = made(solution, weights)
    loss = model.loss(x, target)
    leaves = {name: value.clone().requires_grad_() for name, value in weights.items()}
    expected = true_loss(leaves, x, target)
    assert_close(loss.detach(), expected.detach(), name="loss")
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    others = torch.autograd.grad(expected, list(leaves.values()))
    for name, one, other in zip(leaves, gradients, others, strict=True):
        assert_close(one, other, name=f"gradient of {name}", scale=4)


@points(1)
def test_sure_probabilities(solution, rng):
    """With scores of 10000 a probability is 0 or 1 and nothing between: they still sum to 1, and are not kept away from 0."""
    weights = weights_for(rng, size=0.1)
    weights["output.bias"] = torch.tensor([1e4, -1e4, 0.0], dtype=torch.float64)
    found = made(solution, weights).predict_proba(data(rng, (2, 3))[0]).detach()
    assert_close(found, torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64).expand(2, 3, 3), rtol=0.0, atol=1e-12)


@points(1)
def test_never_negative(solution, rng):
    """A negative log-likelihood is at least 0, also for the surest of predictions."""
    weights = weights_for(rng, size=4.0)
    x, _ = data(rng, (40,))
    model = made(solution, weights)
    loss = model.loss(x, true_scores(weights, x).argmax(-1)).detach()
    check(bool(loss >= 0), "the loss is negative")
    assert_close(loss, true_loss(weights, x, true_scores(weights, x).argmax(-1)), name="loss")


@points(1)
def test_state_stays_loadable(solution):
    """Old checkpoints must load: the names and shapes of the parameters stay, and nothing is added."""
    state = solution.Classifier(*SIZES).state_dict()
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    expected = {"hidden.weight": (5, 4), "hidden.bias": (5,), "output.weight": (3, 5), "output.bias": (3,)}
    check(shapes == expected, "the names or shapes in the state_dict have changed")


@points(1)
def test_mode_does_not_matter(solution, rng):
    """train() and eval() give the same: there is nothing random in this network."""
    assert_ignores_mode(made(solution, weights_for(rng)), rng.randn(3, 4, dtype=torch.float64))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither x nor the targets may be written to, nor may their shapes change."""
    model = made(solution, weights_for(rng))
    x, target = data(rng, (3, 4))
    assert_not_mutated(model.loss, x, target)
    assert_not_mutated(model.predict_proba, x)
