"""Hidden tests: can_overfit. The verdicts about a single weight are replayed step by step."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import check, points, sample

F32, F64 = torch.float32, torch.float64
LABELS = torch.tensor([0, 1, 2, 2, 1, 0, 1, 2])


def batch_of(rng, loss="cross entropy"):
    """Eight samples, with labels or with numbers."""
    return rng.randn(8, 4), LABELS if loss == "cross entropy" else rng.randn(8, 3)


def true_losses(weight, batch, loss, steps, lr):
    """The loss before each of `steps` Adam steps and after the last."""
    w = weight.clone().requires_grad_()
    optimizer = torch.optim.Adam([w], lr=lr)
    function, losses = {"squared": F.mse_loss, "absolute": F.l1_loss}[loss], []
    for step in range(steps + 1):
        optimizer.zero_grad()
        value = function(batch[0] @ w.t(), batch[1])
        losses.append(value.item())
        if step < steps:
            value.backward()
            optimizer.step()
    return losses


# Losses of test_defaults, in which a weight falls towards 0. They take hundreds of steps and no random numbers, so they are
# computed once, and not in each judging.
TO_ZERO = (torch.ones(1, 1, dtype=F64), torch.zeros(1, 1, dtype=F64))
LOSSES_FROM = {
    start: true_losses(torch.tensor([[start]], dtype=F64), TO_ZERO, "squared", 200, 0.01) for start in (1.0, 4.0)
}
SLOW_LOSSES = true_losses(torch.ones(1, 1, dtype=F64), TO_ZERO, "squared", 201, 1e-4)


@sample
@points(1)
def test_a_sound_model(probes):
    """A network with 48 hidden units learns eight samples by heart."""
    x = torch.tensor([[float(i == j) for j in range(4)] for i in range(4)] * 2) + torch.arange(8)[:, None] * 0.3
    check(probes.verdict("mlp", "cross entropy", 0, (x, LABELS), {"steps": 600}) is True, "True is expected")


@sample
@points(1)
def test_dead_units(probes):
    """If every ReLU is dead, only the last bias can learn, and that is not enough."""
    x = torch.linspace(-1, 1, 32).reshape(8, 4)
    check(probes.verdict("dead relu", "cross entropy", 0, (x, LABELS), {"steps": 60}) is False, "False is expected")


@sample
@points(1)
def test_a_model_that_fits_already(probes):
    """Without any step, a model that fits already passes."""
    batch = (torch.tensor([[1.0]]), torch.tensor([[2.0]]))
    weight = torch.tensor([[2.0]])
    check(probes.line(weight, batch, "squared", {"steps": 0}, True) is True, "True is expected")


@points(2)
@pytest.mark.parametrize("kind", ["mlp", "norm", "tied", "regression"])
def test_sound_models(probes, rng, kind):
    """A sound model is refused: a copy must train all parameters on the batch, in the mode of the model."""
    loss = "cross entropy" if kind in ("mlp", "norm") else "squared error"
    batch = (rng.randn(2, 4), 0.5 * rng.randn(2, 4)) if kind == "tied" else batch_of(rng, loss)
    found = probes.verdict(kind, loss, rng.seed(), batch, {"steps": 1500, "lr": 0.02, "tol": 0.05})
    check(found is True, "True is expected")


@points(2)
@pytest.mark.parametrize("kind", ["detached path", "frozen head", "dead relu"])
def test_broken_models(probes, rng, kind):
    """A broken model passes: what is detached, frozen or dead must stay so in the check."""
    # The head that was frozen would learn the batch within about fifty steps if it were not.
    found = probes.verdict(kind, "cross entropy", rng.seed(), batch_of(rng), {"steps": 100, "lr": 0.03})
    check(found is False, "False is expected")


@points(2)
@pytest.mark.parametrize("loss", ["wrong sign", "nan", "infinite", "minus infinity"])
def test_losses_that_cannot_be(probes, rng, loss):
    """A loss far below 0, an infinite one or NaN means that the check has failed."""
    found = probes.verdict("mlp", loss, rng.seed(), batch_of(rng), {"steps": 30})
    check(found is False, "False is expected")


@points(1)
@pytest.mark.parametrize(
    ("kind", "loss"),
    [("no gradient", "cross entropy"), ("frozen", "cross entropy"), ("mlp", "constant")],
    ids=["no-gradient", "frozen", "constant"],
)
def test_nothing_to_train(probes, rng, kind, loss):
    """A loss that depends on no trainable parameter gives False, and no exception; below tol it is a fit like any other."""
    seed, batch = rng.seed(), batch_of(rng)
    for tol, expected in ((0.01, False), (100.0, True)):
        found = probes.verdict(kind, loss, seed, batch, {"steps": 5, "tol": tol})
        check(found is expected, f"{expected} is expected")


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("recording", [True, False], ids=["recording", "no-grad"])
def test_exactly_enough_steps(probes, rng, dtype, recording):
    """The number of steps, the optimizer or gradients of earlier steps change the verdict: replay one weight by hand."""
    for _ in range(2):
        k, losses = 0, []
        # Redrawn until the lowest loss comes after a step, and is clearly the lowest so far: rounding must not decide.
        while k == 0 or min(losses[:k]) < 1.01 * losses[k]:
            weight, batch = rng.randn(2, 3, dtype=dtype), (rng.randn(5, 3, dtype=dtype), rng.randn(5, 2, dtype=dtype))
            lr = rng.uniform(0.2, 0.4)  # large enough that some weights overshoot
            losses = true_losses(weight, batch, "squared", 12, lr)
            k = losses.index(min(losses))
        tol = (losses[k] + min(losses[:k])) / 2
        for steps, expected in ((k, True), (k - 1, False), (k + 3, True)):
            options = {"steps": steps, "lr": lr, "tol": tol}
            found = probes.line(weight, batch, "squared", options, recording)
            check(found is expected, f"{expected} is expected when the loss falls below tol after a certain step")


@points(2)
def test_once_is_enough(probes):
    """A loss that has been below tol counts, even if it is above it after the last step."""
    weight, batch = torch.tensor([[1.0]], dtype=F64), (torch.ones(1, 1, dtype=F64), torch.zeros(1, 1, dtype=F64))
    losses = true_losses(weight, batch, "absolute", 6, 0.3)
    lowest = min(losses)
    check(losses[-1] > 2 * lowest, "the example is no good")
    options = {"steps": 6, "lr": 0.3, "tol": 1.5 * lowest}
    check(probes.line(weight, batch, "absolute", options, True) is True, "True is expected")


@points(1)
def test_a_loss_that_equals_tol(probes):
    """A loss that equals tol is not below it."""
    batch = (torch.ones(1, 1), torch.zeros(1, 1))
    found = probes.line(torch.tensor([[0.5]]), batch, "squared", {"steps": 0, "tol": 0.25}, True)
    check(found is False, "False is expected")


@points(1)
def test_defaults(probes, rng):
    """Without options: 200 steps of Adam with a rate of 0.01, and a tolerance of 0.01."""
    x = torch.ones(1, 1, dtype=F64)
    for start, expected in ((1.0, True), (4.0, False)):
        check((min(LOSSES_FROM[start]) < 0.01) is expected, "the example is no good")
        weight = torch.tensor([[start]], dtype=F64)
        check(probes.line(weight, TO_ZERO, "squared", {}, True) is expected, "the defaults are others")
    for target, expected in ((0.09, True), (0.12, False)):
        batch = (x, torch.full((1, 1), target, dtype=F64))
        found = probes.line(torch.zeros(1, 1, dtype=F64), batch, "squared", {"steps": 0}, True)
        check(found is expected, "the tolerance is another one")
    options = {"lr": 1e-4, "tol": (SLOW_LOSSES[200] + SLOW_LOSSES[201]) / 2}
    check(probes.line(x, TO_ZERO, "squared", options, True) is False, "the number of steps is another one")


@points(3)
@pytest.mark.parametrize("recording", [True, False], ids=["recording", "no-grad"])
@pytest.mark.parametrize("kind", ["norm", "dropout", "tied"])
def test_it_leaves_no_trace(probes, rng, kind, recording):
    """Something of the caller has changed: weights, buffers, gradients, modes, the random state or the grad mode."""
    batch = (rng.randn(6, 4), rng.randint(0, 3, (6,)))
    found = probes.traces(kind, rng.seed(), batch, rng.integer(1, 4), recording)
    check(found["changed"] == [], "changed: " + ", ".join(map(str, found["changed"]))[:80])
    check(found["batch"], "the batch has changed")
    check(found["flag"] and found["gradient"], "requires_grad or .grad of the inputs has changed")
    check(found["type"], "the result must be a bool")


@points(1)
@pytest.mark.parametrize("recording", [True, False], ids=["recording", "no-grad"])
def test_inputs_with_gradients(probes, rng, recording):
    """Inputs that require a gradient keep their flag and their .grad: a backward pass of the check ends at the copy."""
    batch = (rng.randn(6, 4), rng.randint(0, 3, (6,)))
    found = probes.traces("tied", rng.seed(), batch, 2, recording, learned_input=True)
    check(found["flag"], "requires_grad of the inputs has changed")
    check(found["gradient"], "the .grad of the inputs has changed")
    check(found["changed"] == [], "changed: " + ", ".join(map(str, found["changed"]))[:80])
