"""Hidden tests: a learner that did not learn."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
NAMES = ("body.0.weight", "body.0.bias", "body.1.weight", "body.1.bias", "head.weight", "head.bias")


def generator(seed):
    return torch.Generator().manual_seed(seed)


def state_for(rng, sizes, dtype=F64):
    features, hidden, classes = sizes
    return {
        "body.0.weight": rng.randn(hidden, features, dtype=dtype) / features**0.5,
        "body.0.bias": 0.3 * rng.randn(hidden, dtype=dtype),
        "body.1.weight": 1 + 0.2 * rng.randn(hidden, dtype=dtype),
        "body.1.bias": 0.2 * rng.randn(hidden, dtype=dtype),
        "body.1.running_mean": 0.5 * rng.randn(hidden, dtype=dtype),
        "body.1.running_var": 0.5 + rng.rand(hidden, dtype=dtype),
        "body.1.num_batches_tracked": torch.tensor(3),
        "head.weight": rng.randn(classes, hidden, dtype=dtype) / hidden**0.5,
        "head.bias": 0.3 * rng.randn(classes, dtype=dtype),
    }


def made(solution, state):
    hidden, features = state["body.0.weight"].shape
    model = solution.Learner(features, hidden, len(state["head.bias"])).to(state["head.bias"].dtype)
    model.load_state_dict(state)
    return model


def scores_in_eval_mode(state, x):
    h = F.linear(x, state["body.0.weight"], state["body.0.bias"])
    h = (h - state["body.1.running_mean"]) / (state["body.1.running_var"] + 1e-5).sqrt()
    return F.linear(
        (h * state["body.1.weight"] + state["body.1.bias"]).relu(), state["head.weight"], state["head.bias"]
    )


def true_fit(state, x, y, epochs, batch_size, lr, stream):
    """Losses and state after plain SGD with functions alone."""
    state = {name: value.clone() for name, value in state.items()}
    losses = []
    for _ in range(epochs):
        total = 0.0
        for picked in torch.randperm(len(x), generator=stream).split(batch_size):
            leaves = {name: state[name].detach().clone().requires_grad_() for name in NAMES}
            h = F.linear(x[picked], leaves["body.0.weight"], leaves["body.0.bias"])
            h = F.batch_norm(
                h, state["body.1.running_mean"], state["body.1.running_var"],
                leaves["body.1.weight"], leaves["body.1.bias"], training=True,
            )  # fmt: skip
            loss = F.cross_entropy(F.linear(h.relu(), leaves["head.weight"], leaves["head.bias"]), y[picked])
            gradients = torch.autograd.grad(loss, [leaves[name] for name in NAMES])
            for name, gradient in zip(NAMES, gradients, strict=True):
                state[name] = state[name] - lr * gradient
            state["body.1.num_batches_tracked"] += 1
            total += loss.item() * len(picked)
        losses.append(total / len(x))
    return losses, state


def data(rng, n, features, classes, dtype=F64):
    return rng.randn(n, features, dtype=dtype), rng.randint(0, classes, (n,))


def clusters(rng, each, dtype=F32):
    """Three classes around three corners, and more of them for validation."""
    y = torch.arange(3).repeat(each)
    return (4 * F.one_hot(y, 3) + rng.randn(len(y), 3)).to(dtype), y


def same_state(found, expected):
    check(set(found) == set(expected), "the names in the state_dict must stay")
    for name, value in expected.items():
        assert_close(found[name].detach(), value, name=name)


@sample
@points(1)
def test_one_epoch(solution):
    """With all weights of the head at zero, the first loss of two classes is log 2."""
    torch.manual_seed(0)
    model = solution.Learner(2, 3, 2)
    state = {name: value.detach().clone() for name, value in model.state_dict().items()}
    state["head.weight"], state["head.bias"] = torch.zeros(2, 3), torch.zeros(2)
    model.load_state_dict(state)
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]])
    losses = model.fit(x, torch.tensor([0, 1, 0, 1]), 1, 4, 0.1, generator(0))
    assert_close(losses, [0.6931471805599453], name="losses")


@sample
@points(1)
def test_accuracy_of_a_constant(solution):
    """A model that always says class 1 is right for two of four samples, and stays in train mode."""
    torch.manual_seed(0)
    model = solution.Learner(2, 3, 2)
    state = {name: value.detach().clone() for name, value in model.state_dict().items()}
    state["head.weight"], state["head.bias"] = torch.zeros(2, 3), torch.tensor([0.0, 1.0])
    model.load_state_dict(state)
    assert_close(model.accuracy(torch.ones(4, 2), torch.tensor([1, 0, 1, 0])), 0.5)
    check(model.training is True, "the model was in train mode before the measurement")


@sample
@points(1)
def test_three_clusters(solution, rng):
    """Three separate clusters are learnt within ten epochs."""
    # The first weights are drawn here, and redrawn if plain SGD does not get there easily: there are a few such starts.
    while True:
        state, (x, y) = state_for(rng, (3, 8, 3), F32), clusters(rng, 20)
        losses, _ = true_fit(state, x, y, 10, 12, 0.2, generator(1))
        if losses[-1] < 0.4 * losses[0]:
            break
    losses = made(solution, state).fit(x, y, 10, 12, 0.2, generator(1))
    check(losses[-1] < losses[0] / 2, "the loss does not fall to a half")


@points(3)
@pytest.mark.parametrize(("n", "batch_size"), [(12, 4), (11, 4), (7, 20), (15, 6)], ids=["even", "rest", "one", "half"])
def test_losses_and_weights(solution, rng, n, batch_size):
    """Losses or weights after the training differ from plain SGD on these batches."""
    state, (x, y) = state_for(rng, (5, 6, 3)), data(rng, n, 5, 3)
    seed = rng.seed()
    losses, expected = true_fit(state, x, y, 3, batch_size, 0.1, generator(seed))
    model = made(solution, state)
    found = model.fit(x, y, 3, batch_size, 0.1, generator(seed))
    check(type(found) is list and all(type(v) is float for v in found), "the losses must be a list of Python floats")
    assert_close(found, losses, name="losses")
    same_state(model.state_dict(), expected)


@points(2)
def test_every_parameter_moves(solution, rng):
    """One step must move every parameter that has a gradient: which parameters does the optimizer hold?"""
    state, (x, y) = state_for(rng, (4, 5, 3), F32), data(rng, 8, 4, 3, F32)
    model = made(solution, state)
    model.fit(x, y, 1, 8, 0.5, generator(rng.seed()))
    after = model.state_dict()
    for name in ("body.0.weight", "body.1.weight", "body.1.bias", "head.weight", "head.bias"):
        check(not torch.equal(after[name].detach(), state[name]), f"{name} has not moved")


@points(2)
def test_pairs_stay_pairs(solution, rng):
    """The first loss of an epoch depends on which label belongs to which input: they are shuffled together."""
    state, (x, _) = state_for(rng, (4, 6, 3)), data(rng, 12, 4, 3)
    y = torch.arange(12) % 3
    seed = rng.seed()
    losses, _ = true_fit(state, x, y, 1, 12, 0.0, generator(seed))
    assert_close(made(solution, state).fit(x, y, 1, 12, 0.0, generator(seed)), losses, name="loss")


@points(2)
def test_gradients_of_one_batch_alone(solution, rng):
    """The gradient of a step is that of its batch: nothing may be left of the batches before, or of earlier calls."""
    state, (x, y) = state_for(rng, (3, 4, 2)), data(rng, 6, 3, 2)
    seeds = rng.seed(), rng.seed()
    _, middle = true_fit(state, x, y, 1, 6, 0.2, generator(seeds[0]))
    losses, expected = true_fit(middle, x, y, 1, 6, 0.2, generator(seeds[1]))
    model = made(solution, state)
    model.fit(x, y, 1, 6, 0.2, generator(seeds[0]))
    assert_close(model.fit(x, y, 1, 6, 0.2, generator(seeds[1])), losses, name="losses")
    same_state(model.state_dict(), expected)


@points(1)
def test_gradients_from_before(probes, rng):
    """Parameters may have a .grad when fit is called: the first step uses the gradient of its own batch."""
    state, (x, y) = state_for(rng, (3, 4, 2)), data(rng, 8, 3, 2)
    seed = rng.seed()
    losses, expected = true_fit(state, x, y, 1, 4, 0.1, generator(seed))
    found, after = probes.fitted_after_a_backward(state, x, y, 1, 4, 0.1, seed)
    assert_close(found, losses, name="losses")
    same_state(after, expected)


@points(2)
def test_training_after_a_measurement(solution, rng):
    """A measurement between two calls of fit, or eval mode before it, must change nothing."""
    state, (x, y) = state_for(rng, (4, 5, 3)), data(rng, 9, 4, 3)
    seed = rng.seed()
    losses, expected = true_fit(state, x, y, 2, 3, 0.1, generator(seed))
    for prepare in (lambda model: model.eval(), lambda model: model.accuracy(x, y)):
        model = made(solution, state)
        prepare(model)
        assert_close(model.fit(x, y, 2, 3, 0.1, generator(seed)), losses, name="losses")
        same_state(model.state_dict(), expected)


@points(2)
@pytest.mark.parametrize("mode", [True, False], ids=["train", "eval"])
def test_no_trace_of_a_measurement(solution, rng, mode):
    """A measurement leaves the mode, the running statistics and the weights as they were."""
    state, (x, y) = state_for(rng, (4, 5, 3)), data(rng, 9, 4, 3)
    model = made(solution, state).train(mode)
    model.accuracy(x, y)
    check(model.training is mode, "the mode of the model has changed")
    same_state(model.state_dict(), state)


@points(2)
@EACH_DTYPE
def test_accuracy_in_eval_mode(solution, rng, dtype):
    """The accuracy is that of the running statistics, not of the batch that is measured."""
    # Redrawn until no row has two largest scores that are nearly equal, where rounding decides.
    gap = 0.0
    while gap < 1e-4:
        state = state_for(rng, (4, 6, 3), dtype)
        state["body.1.running_mean"] += 1.5
        x = 2 * rng.randn(150, 4, dtype=dtype)
        exact = scores_in_eval_mode({name: value.double() for name, value in state.items()}, x.double())
        gap = float(-exact.topk(2).values.diff().max())
    y = scores_in_eval_mode(state, x).argmax(1)
    y[:30] = (y[:30] + 1) % 3
    found = made(solution, state).accuracy(x, y)
    check(type(found) is float, "the accuracy must be a Python float")
    assert_close(found, 0.8, name="accuracy")


@points(2)
def test_new_data(solution, rng):
    """After the training, new samples of well-separated classes are recognized."""
    torch.manual_seed(rng.seed())
    model = solution.Learner(3, 16, 3)
    x, y = clusters(rng, 40)
    model.fit(x, y, 15, 12, 0.1, generator(rng.seed()))
    check(model.accuracy(*clusters(rng, 100)) > 0.85, "the accuracy on new data is too low")


@points(2)
def test_a_permutation_per_epoch(solution, rng):
    """Each epoch draws one permutation from the generator: its state afterwards shows how many were drawn."""
    state, (x, y) = state_for(rng, (3, 4, 2)), data(rng, 8, 3, 2)
    seed = rng.seed()
    mine, theirs = generator(seed), generator(seed)
    for _ in range(3):
        torch.randperm(8, generator=mine)
    made(solution, state).fit(x, y, 3, 4, 0.1, theirs)
    check(torch.equal(mine.get_state(), theirs.get_state()), "the generator stands elsewhere")


@points(1)
@EACH_DTYPE
def test_scores_and_their_gradients(solution, rng, dtype):
    """forward returns raw scores, with their gradient."""
    state = state_for(rng, (4, 5, 3), dtype)
    model = made(solution, state).eval()
    x = rng.randn(6, 4, dtype=dtype)
    assert_same_gradients(model, lambda x: scores_in_eval_mode(state, x), (x,), names=("x",))


@points(1)
def test_scores_in_train_mode(solution, rng):
    """In train mode the batch norm uses the mean and the variance of the batch."""
    state = state_for(rng, (4, 5, 3))
    model = made(solution, state).train()
    x = rng.randn(6, 4, dtype=F64)
    h = F.linear(x, state["body.0.weight"], state["body.0.bias"])
    batch = {"body.1.running_mean": h.mean(0), "body.1.running_var": h.var(0, correction=0)}
    assert_close(model(x).detach(), scores_in_eval_mode(state | batch, x), name="scores")


@points(1)
def test_arguments_are_left_alone(solution, rng):
    """Inputs and labels belong to the caller: shuffle copies."""
    model, (x, y) = made(solution, state_for(rng, (3, 4, 2))), data(rng, 8, 3, 2)
    assert_not_mutated(model.fit, x, y, 2, 4, 0.1, generator(0))
    assert_not_mutated(model.accuracy, x, y)
