"""Hidden tests: a run that is stopped and continued is the run that was never stopped."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, check, points, sample

EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def weights_of(rng, dtype=torch.float64):
    shapes = {"0.weight": (4, 3), "0.bias": (4,), "2.weight": (2, 4), "2.bias": (2,)}
    return {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}


def batches_of(rng, dtype=torch.float64, count=3):
    return [(rng.randn(4, 3, dtype=dtype), rng.randn(4, 2, dtype=dtype)) for _ in range(count)]


def both(probes, rng, dtype=torch.float64, stop=2, until=5, lr=0.1):
    weights, others, batches = weights_of(rng, dtype), weights_of(rng, dtype), batches_of(rng, dtype)
    found = probes.continued(weights, others, batches, lr, stop, until)
    return found, probes.straight(weights, batches, lr, until)


@sample
@points(1)
def test_next_epoch(solution):
    """After two epochs the state says that two are done, and a run that restores it trains the rest."""
    weights = {"0.weight": torch.ones(1, 1), "0.bias": torch.zeros(1)}
    weights |= {"2.weight": torch.ones(1, 1), "2.bias": torch.zeros(1)}
    batches = [(torch.ones(2, 1), torch.zeros(2, 1))]
    run, other = solution.Run(weights), solution.Run(weights)
    check(len(run.train(batches, 2)) == 2, "two epochs were expected")
    other.restore(run.state())
    check(other.epoch == 2, "two epochs are done after restore")
    check(len(other.train(batches, 5)) == 3, "three more epochs were expected")


@sample
@points(1)
def test_training_goes_on(solution):
    """After restore, training changes what predict gives."""
    weights = {"0.weight": torch.ones(1, 1), "0.bias": torch.zeros(1)}
    weights |= {"2.weight": torch.ones(1, 1), "2.bias": torch.zeros(1)}
    batches = [(torch.ones(2, 1), torch.zeros(2, 1))]
    run = solution.Run(weights)
    run.restore(run.state())
    before = run.predict(torch.ones(1, 1))
    run.train(batches, 2)
    check(not torch.equal(before, run.predict(torch.ones(1, 1))), "the model that predicts is not the one that learns")


@sample
@points(1)
def test_best_weights_stay(solution):
    """The best weights are those of the best epoch, also when later ones are worse."""
    weights = {"0.weight": torch.ones(1, 1), "0.bias": torch.zeros(1)}
    weights |= {"2.weight": torch.zeros(1, 1), "2.bias": torch.zeros(1)}
    run = solution.Run(weights)
    run.train([(torch.ones(2, 1), torch.zeros(2, 1))], 1)  # the loss is 0, and nothing moves
    run.train([(torch.ones(2, 1), torch.ones(2, 1))], 3)
    loss, kept = run.best()
    check(loss == 0.0, "the best loss is the one of the first epoch, 0")
    assert_close(dict(kept), weights, name="best weights")


@points(3)
@EACH_DTYPE
def test_losses_of_the_continued_run(probes, rng, dtype):
    """The losses of a continued run leave those of an uninterrupted one: something was lost, or went to another object."""
    found, expected = both(probes, rng, dtype)
    check(found["epoch"] == 2, "the number of epochs that are done is off after restore")
    check(len(found["losses"]) == len(expected["losses"]), "an epoch was trained twice, or not at all")
    assert_close(found["losses"], expected["losses"], scale=8.0, name="losses")
    assert_close(found["output"], expected["output"], scale=8.0, name="output at the end")


@points(2)
def test_the_learning_rate_goes_on(probes, rng):
    """The schedule must go on where it was: also the rate that the run began with belongs to the state."""
    found, expected = both(probes, rng, stop=3, until=8, lr=rng.uniform(0.02, 0.2))
    assert_close(found["output"], expected["output"], scale=8.0, name="output at the end")


@points(2)
def test_the_best_epoch_is_remembered(probes, rng):
    """The best loss and its weights survive: after restore, only a better epoch may replace them."""
    found, expected = both(probes, rng, stop=4, until=6)
    assert_close(found["best"], expected["best"], name="best loss")
    assert_close(found["kept"], expected["kept"], scale=8.0, name="best weights")


@points(2)
def test_best_after_restore_alone(solution, rng):
    """best() of a run that has only been restored is that of the run whose state it was."""
    weights, batches = weights_of(rng), batches_of(rng)
    run, other = solution.Run(weights), solution.Run(weights_of(rng))
    run.train(batches, 2)
    run.train([(x, y + 100) for x, y in batches], 3)  # the last epoch is not the best one
    other.restore(run.state())
    (loss, kept), (expected, weights) = other.best(), run.best()
    assert_close(loss, expected, name="best loss")
    assert_close(dict(kept), dict(weights), name="best weights")


@points(1)
def test_best_of_the_epochs_so_far(solution, rng):
    """After every epoch, best() has the smallest loss so far and the weights as they were at the end of that epoch."""
    run, batches, losses, outputs = solution.Run(weights_of(rng)), batches_of(rng), [], []
    x, worse = batches[0][0], [(x, y + 100) for x, y in batches]
    for until in range(1, 6):
        losses += run.train(worse if until == 3 else batches, until)
        outputs.append(run.predict(x))
        loss, kept = run.best()
        assert_close(loss, min(losses), name="best loss")
        hidden = torch.tanh(F.linear(x, kept["0.weight"], kept["0.bias"]))
        output = F.linear(hidden, kept["2.weight"], kept["2.bias"])
        assert_close(output, outputs[losses.index(min(losses))], scale=8.0, name="output with the best weights")


@points(3)
def test_a_state_does_not_change(probes, rng):
    """A state belongs to the moment when it was taken: neither the run that gave it nor one that restored it may change it."""
    before, *later = probes.state_of_the_past(weights_of(rng), batches_of(rng), 1, 4)
    for i, output in enumerate(later):
        assert_close(output, before, name=f"output of restored run {i}")


@points(2)
def test_a_state_serves_twice(probes, rng):
    """Two runs that restore the same state must train alike: the first one's training has changed the state."""
    first, second = probes.restored_twice(weights_of(rng), batches_of(rng), 2, 5)
    assert_close(second, first, name="losses of the second run")


@points(2)
def test_back_to_the_beginning(solution, probes, rng):
    """A run that returns to a state from before its first epoch is new: no momenta, no best epoch."""
    weights, batches = weights_of(rng), batches_of(rng)
    first, again = probes.back_in_time(weights, batches, 0, 3)
    assert_close(again, first, name="losses the second time")
    run = solution.Run(weights)
    state = run.state()
    run.train(batches, 2)
    run.restore(state)
    check(tuple(run.best()) == (float("inf"), None), "(inf, None) was expected from best()")


@points(2)
def test_back_in_time(probes, rng):
    """A run may return to a state of its own: what follows is what followed before."""
    first, again = probes.back_in_time(weights_of(rng), batches_of(rng), 2, 5)
    check(len(again) == len(first), "another number of epochs was run the second time")
    assert_close(again, first, name="losses the second time")


@points(1)
def test_state_before_training(solution, rng):
    """The state of a run that has not begun can be restored, too: there is no best epoch yet."""
    weights, batches = weights_of(rng), batches_of(rng)
    run, other = solution.Run(weights), solution.Run(weights_of(rng))
    other.restore(run.state())
    check(other.epoch == 0, "no epoch is done")
    check(tuple(other.best()) == (float("inf"), None), "(inf, None) was expected from best()")
    assert_close(other.train(batches, 2), run.train(batches, 2), name="losses")


def by_hand(weights, batches, lr, epochs):
    """The losses of SGD with momentum 0.9 and a falling rate, written out."""
    values = {name: value.clone().requires_grad_() for name, value in weights.items()}
    speed = {name: torch.zeros_like(value) for name, value in weights.items()}
    losses = []
    for epoch in range(epochs):
        total = 0.0
        for x, y in batches:
            hidden = torch.tanh(F.linear(x, values["0.weight"], values["0.bias"]))
            loss = F.mse_loss(F.linear(hidden, values["2.weight"], values["2.bias"]), y)
            for name, grad in zip(list(values), torch.autograd.grad(loss, list(values.values())), strict=True):
                speed[name] = 0.9 * speed[name] + grad
                values[name] = (values[name] - lr * 0.7**epoch * speed[name]).detach().requires_grad_()
            total += loss.item()
        losses.append(total / len(batches))
    return losses


@points(1)
def test_training_itself(solution, rng):
    """train differs from SGD with momentum 0.9 and a rate that is multiplied by 0.7 after every epoch."""
    weights, batches = weights_of(rng), batches_of(rng, count=2)
    for lr, settings in ((0.1, ()), (0.03, (0.03,))):  # the default, and another one
        found = solution.Run({name: value.clone() for name, value in weights.items()}, *settings).train(batches, 3)
        assert_close(found, by_hand(weights, batches, lr, 3), name="losses")


@points(1)
def test_predictions(solution, rng):
    """predict differs from linear, tanh, linear with the weights that the run was given."""
    weights = weights_of(rng)
    for x in (rng.rand(4, 3, dtype=torch.float64), -rng.rand(4, 3, dtype=torch.float64)):
        hidden = torch.tanh(F.linear(x, weights["0.weight"], weights["0.bias"]))
        assert_close(solution.Run(weights).predict(x), F.linear(hidden, weights["2.weight"], weights["2.bias"]))


@points(1)
def test_nothing_left_to_do(solution, rng):
    """train(batches, until) with as many epochs done runs none and returns an empty list; predict keeps no graph."""
    run, batches = solution.Run(weights_of(rng)), batches_of(rng)
    run.train(batches, 2)
    check(run.train(batches, 2) == [], "an empty list was expected")
    check(not run.predict(batches[0][0]).requires_grad, "the prediction still has a graph")
