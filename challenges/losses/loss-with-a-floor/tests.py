"""Hidden tests: a classifier whose loss had a floor."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
NAMES = ("layers.0.weight", "layers.0.bias", "layers.2.weight", "layers.2.bias")
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def weights_for(rng, sizes, dtype=F64, size=1.0):
    features, hidden, classes = sizes
    shapes = ((hidden, features), (hidden,), (classes, hidden), (classes,))
    return {name: size * rng.randn(*shape, dtype=dtype) for name, shape in zip(NAMES, shapes, strict=True)}


def made(solution, weights):
    hidden, features = weights[NAMES[0]].shape
    model = solution.Classifier(features, hidden, len(weights[NAMES[3]])).to(weights[NAMES[0]].dtype)
    model.load_state_dict(weights)
    return model


def true_scores(weights, x):
    first, bias, last, offset = (weights[name] for name in NAMES)
    return F.linear(torch.tanh(F.linear(x, first, bias)), last, offset)


def true_fit(weights, x, y, steps, lr):
    """Losses and weights of plain SGD."""
    weights, losses = dict(weights), []
    for _ in range(steps):
        leaves = {name: value.detach().clone().requires_grad_() for name, value in weights.items()}
        loss = F.cross_entropy(true_scores(leaves, x), y)
        gradients = torch.autograd.grad(loss, list(leaves.values()))
        weights = {n: leaf.detach() - lr * g for (n, leaf), g in zip(leaves.items(), gradients, strict=True)}
        losses.append(loss.item())
    return losses, weights


def clusters(rng, classes, each=4):
    """Points around the corners of a polygon: a set that a network of this kind separates."""
    angles = torch.arange(classes) * (2 * torch.pi / classes) + rng.uniform(0, 1)
    corners = 3 * torch.stack([angles.cos(), angles.sin()], 1)
    y = torch.arange(classes).repeat(each)
    return corners[y] + 0.1 * rng.randn(len(y), 2), y


FIXED = {
    "layers.0.weight": torch.zeros(4, 2),
    "layers.0.bias": torch.zeros(4),
    "layers.2.weight": torch.zeros(3, 4),
    "layers.2.bias": torch.tensor([2.0, 1.0, -3.0]),
}


@sample
@points(1)
def test_forward_gives_scores(solution):
    """With all weights at zero, the scores of each row are the last bias."""
    scores = made(solution, FIXED)(torch.ones(2, 2))
    assert_close(scores.detach(), torch.tensor([[2.0, 1.0, -3.0]] * 2))


@sample
@points(1)
def test_probabilities(solution):
    """The probabilities are the softmax of the scores, once."""
    model = made(solution, FIXED)
    expected = torch.tensor([[2.0, 1.0, -3.0]]).softmax(1)
    assert_close(model.predict_proba(torch.ones(1, 2)), expected)
    check(bool(model.confident(torch.ones(1, 2), 0.7)[0]), "the first class has a probability of 0.73, above 0.7")


@sample
@points(1)
def test_the_loss_falls(solution):
    """On three well-separated points the loss falls below 0.05."""
    torch.manual_seed(1)
    model = solution.Classifier(2, 8, 3)
    x = torch.tensor([[2.0, 0.0], [-2.0, 1.0], [0.0, -2.0]])
    losses = model.fit(x, torch.tensor([0, 1, 2]), 300, 0.5)
    check(losses[-1] < 0.05, "the loss does not fall below 0.05")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("sizes", [(2, 3, 5), (4, 7, 2)], ids=["five-classes", "two-classes"])
def test_scores_and_their_gradients(solution, rng, sizes, dtype):
    """forward must return what the last linear layer gives, with its gradient."""
    weights = weights_for(rng, sizes, dtype)
    assert_same_gradients(
        made(solution, weights), lambda x: true_scores(weights, x), (rng.randn(6, sizes[0], dtype=dtype),), names=("x",)
    )


@points(2)
@EACH_DTYPE
def test_probabilities_of_scores(solution, rng, dtype):
    """predict_proba must be the softmax over the classes of what forward returns, without history."""
    weights = weights_for(rng, (3, 5, 4), dtype, 2.0)
    x = rng.randn(7, 3, dtype=dtype)
    found = made(solution, weights).predict_proba(x)
    check(not found.requires_grad, "the probabilities have a history")
    assert_close(found, true_scores(weights, x).softmax(1))


@points(2)
@pytest.mark.parametrize("threshold", [0.4, 0.7, 0.99])
def test_confident(solution, rng, threshold):
    """confident compares a probability with the threshold; a score may be larger than 1, and a softmax of a softmax is small."""
    weights = weights_for(rng, (3, 5, 4), F64, 1.5)
    x = rng.randn(40, 3, dtype=F64)
    expected = true_scores(weights, x).softmax(1).amax(1) > threshold
    assert_close(made(solution, weights).confident(x, threshold), expected)


@points(3)
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_separable_sets(solution, rng, classes):
    """The loss of a separable set falls below 0.05 in 400 steps, which a loss with a floor cannot."""
    x, y = clusters(rng, classes)
    weights = weights_for(rng, (2, 16, classes), F32, 0.5)
    losses = made(solution, weights).fit(x, y, 400, 0.5)
    check(len(losses) == 400 and losses[-1] < 0.05, "the loss does not fall below 0.05")


@points(2)
@EACH_DTYPE
def test_losses_and_weights(solution, rng, dtype):
    """Losses or weights differ from plain SGD with the cross entropy of the scores."""
    weights = weights_for(rng, (3, 4, 5), dtype)
    x, y = rng.randn(6, 3, dtype=dtype), rng.randint(0, 5, (6,))
    model = made(solution, weights)
    losses = model.fit(x, y, 6, 0.3)
    expected, moved = true_fit(weights, x, y, 6, 0.3)
    assert_close(losses, expected, scale=10.0, name="losses")
    state = model.state_dict()
    for name in NAMES:
        assert_close(state[name], moved[name], scale=20.0, name=name)


@points(1)
def test_fit_goes_on(solution, rng):
    """A second fit continues from the weights of the first, and zero steps give no losses."""
    weights = weights_for(rng, (3, 4, 5))
    x, y = rng.randn(6, 3, dtype=F64), rng.randint(0, 5, (6,))
    model = made(solution, weights)
    assert_close(model.fit(x, y, 0, 0.3), [], name="losses of no steps")
    found = model.fit(x, y, 2, 0.3) + model.fit(x, y, 2, 0.1)
    first, moved = true_fit(weights, x, y, 2, 0.3)
    assert_close(found, first + true_fit(moved, x, y, 2, 0.1)[0], scale=10.0, name="losses")


@points(1)
def test_gradients_from_before(solution, rng):
    """The first step uses gradients that the parameters held before fit was called."""
    weights = weights_for(rng, (3, 4, 5))
    x, y = rng.randn(6, 3, dtype=F64), rng.randint(0, 5, (6,))
    model = made(solution, weights)
    model(x).sum().backward()
    assert_close(model.fit(x, y, 3, 0.3), true_fit(weights, x, y, 3, 0.3)[0], scale=10.0, name="losses")


@points(2)
@EACH_DTYPE
def test_scores_of_ten_thousand(solution, rng, dtype):
    """With scores of ten thousand a probability is 0 or 1, and a hopeless sample costs twenty thousand."""
    weights = weights_for(rng, (3, 4, 3), dtype, 0.1)
    weights[NAMES[3]] = torch.tensor([1e4, -1e4, 0.0], dtype=dtype)
    x = rng.randn(2, 3, dtype=dtype)
    model = made(solution, weights)
    assert_close(model.predict_proba(x), torch.tensor([[1.0, 0.0, 0.0]] * 2, dtype=dtype))
    check(bool(model.confident(x, 0.999).all()), "a probability of 1 is above every threshold below it")
    check(not bool(model.confident(x, 1.0).any()), "a probability of 1 equals the threshold 1 and is not above it")
    assert_close(model.fit(x, torch.tensor([1, 1]), 1, 1e-3), [2e4], rtol=1e-3, name="losses")


@points(1)
def test_state_stays_loadable(solution):
    """Old checkpoints must load: the names and shapes of the parameters stay, and nothing is added."""
    state = solution.Classifier(4, 5, 3).state_dict()
    shapes = {name: tuple(value.shape) for name, value in state.items()}
    expected = dict(zip(NAMES, ((5, 4), (5,), (3, 5), (3,)), strict=True))
    check(shapes == expected, "the names or shapes in the state_dict have changed")


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """Neither x nor y may be written to."""
    model = made(solution, weights_for(rng, (3, 4, 5)))
    x, y = rng.randn(6, 3, dtype=F64), rng.randint(0, 5, (6,))
    assert_not_mutated(model.fit, x, y, 2, 0.1)
    assert_not_mutated(model.predict_proba, x)
    assert_not_mutated(model.confident, x, 0.5)
