"""Hidden tests: a training function with early stopping."""

import math

import pytest
import torch
from torch import nn

from grader.testing import assert_close, check, points, sample

NAN, INF = math.nan, math.inf


def after(epoch):
    """The state of the model that an epoch of the probes leaves behind."""
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    state = model.state_dict()
    for i, tensor in enumerate(state.values()):
        tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape) + 10 * i + 100 * epoch)
    return dict(state)


def expected_of(losses, max_epochs, patience, min_delta=0.0):
    """How many epochs run, and which is the best, by the words of the statement."""
    best, where, bad = math.inf, None, 0
    for epoch, loss in enumerate(losses[:max_epochs]):
        if math.isfinite(loss) and loss < best - min_delta:
            best, where, bad = loss, epoch, 0
        else:
            bad += 1
        if bad > patience:
            return epoch + 1, where
    return min(max_epochs, len(losses)), where


def check_run(probes, losses, patience, max_epochs=None, **options):
    max_epochs = len(losses) if max_epochs is None else max_epochs
    found = probes.run(losses, max_epochs, patience, options)
    epochs, best = expected_of(losses, max_epochs, patience, **options)
    answer = found["answer"]
    check(type(answer) is dict and set(answer) == {"losses", "best_epoch"}, "the answer must have two keys")
    check(found["epochs"] == epochs, "training has stopped too early or too late")
    assert_close(answer["losses"], losses[:epochs], rtol=0.0, atol=0.0, equal_nan=True, name="losses")
    check(answer["best_epoch"] == best, "best_epoch is wrong")
    if epochs:
        state = after(epochs - 1 if best is None else best)
        assert_close(found["state"], state, rtol=0.0, atol=0.0, name="state of the model")
    return found


@sample
@points(1)
def test_flat_loss_stops(probes):
    """A loss that stands still must end the training after patience + 1 more epochs."""
    check_run(probes, [0.5] * 10, patience=2)


@sample
@points(1)
def test_best_epoch_comes_back(probes):
    """When the loss rises again, the model must come back with the weights of the lowest."""
    check_run(probes, [0.9, 0.4, 0.6, 0.8, 0.7, 0.9], patience=1)


@sample
@points(1)
def test_best_epoch_comes_back_without_a_stop(probes):
    """When max_epochs ends the training, the best weights must come back all the same."""
    check_run(probes, [0.9, 0.4, 0.6], patience=5)


@points(2)
@pytest.mark.parametrize("patience", [0, 1, 3])
def test_random_losses(probes, rng, patience):
    """For some sequence of losses with ties it stops in the wrong epoch, or returns the wrong weights."""
    for _ in range(4):
        check_run(probes, [rng.integer(0, 8) / 8 for _ in range(12)], patience=patience)


@points(2)
@pytest.mark.parametrize("patience", [0, 2])
def test_min_delta(probes, rng, patience):
    """Progress of min_delta or less is none, measured from the best so far."""
    for _ in range(12):
        check_run(probes, [rng.integer(0, 9) / 4 for _ in range(12)], patience=patience, min_delta=0.5)


@points(1)
def test_creeping_progress(probes):
    """Small steps add up: compare with the best, which moves only when it is beaten by more than min_delta."""
    check_run(probes, [2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5], patience=2, min_delta=0.5)
    check_run(probes, [2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5], patience=1, min_delta=0.5)


@points(1)
@pytest.mark.parametrize(
    "losses", [[NAN, 0.5, NAN, 0.4], [0.5, NAN, NAN, NAN, 0.1], [NAN, NAN, NAN, NAN]], ids=["first", "later", "all"]
)
def test_nan(probes, losses):
    """NaN is never an improvement, and counts as an epoch without one."""
    check_run(probes, losses, patience=1)


@points(1)
@pytest.mark.parametrize(
    "losses",
    [[INF, INF, INF, 1.0], [INF, 0.5, INF, 0.4], [0.5, -INF, 0.4, 0.3]],
    ids=["first", "between", "below"],
)
def test_infinity(probes, losses):
    """An infinite loss is never an improvement, and counts as an epoch without one."""
    check_run(probes, losses, patience=1)


@points(1)
def test_improvement_in_the_last_epoch(probes):
    """The last epoch may be the best."""
    check_run(probes, [0.9, 0.8, 0.7], patience=1)


@points(1)
def test_negative_and_large_losses(probes):
    """A loss may be negative or very large."""
    check_run(probes, [1e20, -3.0, -4.5, -4.5, -4.0, -5.0], patience=1)
    check_run(probes, [1e20, NAN, 2e20], patience=3)


@points(1)
@pytest.mark.parametrize("max_epochs", [0, 1])
def test_few_epochs(probes, max_epochs):
    """No epoch, or one, is a training run too."""
    check_run(probes, [0.5, 0.4, 0.3], patience=1, max_epochs=max_epochs)


@points(2)
def test_the_model_keeps_its_tensors(probes):
    """The best weights must be written into the tensors the model has: an optimizer holds them."""
    found = check_run(probes, [0.5, 0.6, 0.7, 0.8], patience=1)
    check(found["same"] is True, "the model has other tensors than before")
    check(found["moved"] is True, "an optimizer made before does not move the model any more")


@points(1)
def test_modes(probes):
    """Training happens in training mode, validation in evaluation mode and without gradients."""
    calls = check_run(probes, [0.5, 0.4, 0.3], patience=1)["calls"]
    check([name for name, _, _ in calls] == ["train", "validate"] * 3, "each epoch trains once and validates once")
    check(all(mode is (name == "train") for name, mode, _ in calls), "the model was in the wrong mode in some call")
    check(all(grad is (name == "train") for name, _, grad in calls), "gradients belong to training only")
