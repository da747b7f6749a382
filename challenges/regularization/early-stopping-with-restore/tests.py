"""Hidden tests: early stopping that restores the best weights."""

import math

import pytest
import torch
from torch import nn

from grader.testing import assert_close, check, points, sample

NAN = math.nan


def after(epoch):
    """The state of the model that an epoch of the probes leaves behind."""
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)).double()
    state = model.state_dict()
    for i, tensor in enumerate(state.values()):
        tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape) + 10 * i + 100 * epoch)
    return dict(state)


def expected_of(metrics, patience, min_delta=0.0, mode="min"):
    """Answers of step, best after each of them (None first), and the epoch of the best; by the words of the statement."""
    sign = 1 if mode == "min" else -1
    answers, best, where, bad = [], [None], None, 0
    for epoch, metric in enumerate(metrics):
        seen = [m for m in best if m is not None]
        better = not math.isnan(metric) and (not seen or sign * metric < sign * seen[-1] - min_delta)
        bad = 0 if better else bad + 1
        where = epoch if better else where
        best.append(metric if better else best[-1])
        answers.append(bad > patience)
    return answers, best, where


def check_replay(probes, metrics, tensors=False, **settings):
    found = probes.replay(metrics, settings, tensors)
    answers, best, where = expected_of(metrics, **settings)
    check(all(type(answer) is bool for answer in found["answers"]), "step must return a bool")
    check(found["answers"] == answers, "step gives another answer in some epoch")
    check(all(one is None or type(one) is float for one in found["best"]), "best must be a float, or None at first")
    check(found["best"] == best, "best has another value after some step")
    expected = found["last"] if where is None else after(where)
    assert_close(found["restored"], expected, rtol=0.0, atol=0.0, name="state after restore")


@sample
@points(1)
def test_loss_that_turns(probes):
    """The loss falls and rises: with a patience of 2 the third bad epoch stops, and epoch 2 comes back."""
    found = probes.replay([0.9, 0.6, 0.4, 0.5, 0.7, 0.6], {"patience": 2})
    check(found["answers"] == [False, False, False, False, False, True], "the third bad epoch in a row must stop")
    check(found["best"][-1] == 0.4, "best must be 0.4")
    assert_close(found["restored"], after(2), rtol=0.0, atol=0.0, name="state after restore")


@sample
@points(1)
def test_a_tie_is_no_progress(probes):
    """A loss that does not move must stop the training."""
    found = probes.replay([0.5] * 4, {"patience": 1})
    check(found["answers"] == [False, False, True, True], "equal losses are steps without improvement")
    assert_close(found["restored"], after(0), rtol=0.0, atol=0.0, name="state after restore")


@sample
@points(1)
def test_accuracy(probes):
    """With mode="max" larger is better."""
    found = probes.replay([0.1, 0.3, 0.2], {"patience": 0, "mode": "max"})
    check(found["answers"] == [False, False, True], "with mode='max' only the last step is worse")
    assert_close(found["restored"], after(1), rtol=0.0, atol=0.0, name="state after restore")


@points(2)
@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize("patience", [0, 1, 3])
def test_random_sequences(probes, rng, patience, mode):
    """For some sequence with ties an answer, best or the restored state is off."""
    for _ in range(3):
        metrics = [rng.integer(0, 6) / 4 for _ in range(14)]
        check_replay(probes, metrics, patience=patience, mode=mode)


@points(2)
@pytest.mark.parametrize("mode", ["min", "max"])
def test_min_delta(probes, rng, mode):
    """Progress of min_delta or less is none, and best is what later metrics are compared with: small steps add up."""
    for _ in range(3):
        metrics = [rng.integer(0, 9) / 4 for _ in range(14)]
        check_replay(probes, metrics, patience=2, min_delta=0.5, mode=mode)


@points(2)
@pytest.mark.parametrize("mode", ["min", "max"])
def test_creeping_progress(probes, mode):
    """Steps that are each smaller than min_delta make an improvement once their sum is larger."""
    metrics = [2.0, 1.75, 1.5, 1.25, 1.0, 0.75] if mode == "min" else [0.0, 0.25, 0.5, 0.75, 1.0, 1.25]
    check_replay(probes, metrics, patience=1, min_delta=0.5, mode=mode)


@points(2)
@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize(
    "metrics",
    [[NAN, 0.5, NAN, NAN, NAN], [0.5, NAN, 0.6, 0.4, NAN], [NAN, NAN, NAN], [NAN, NAN, NAN, 0.5, 0.5]],
    ids=["first", "between", "all", "late"],
)
def test_nan(probes, metrics, mode):
    """NaN is a step without improvement, and must never become the best."""
    for patience in (1, 2):
        check_replay(probes, metrics, patience=patience, mode=mode)


@points(1)
@pytest.mark.parametrize("mode", ["min", "max"])
def test_negative_metrics(probes, rng, mode):
    """Metrics may be negative, very large or zero: a log-likelihood is."""
    metrics = [1e30, -3.5, 0.0, -1e30, -1e30, 1e30, 2e30]
    check_replay(probes, metrics, patience=2, mode=mode)
    check_replay(probes, [-m for m in metrics], patience=2, mode=mode)


@points(1)
def test_improvement_starts_anew(probes):
    """After an improvement the count of bad steps begins at zero, also when step has already said stop."""
    check_replay(probes, [0.5, 0.6, 0.7, 0.4, 0.5, 0.6, 0.7], patience=1)


@points(1)
def test_metrics_in_tensors(probes, rng):
    """A metric may be a 0-d tensor; best is a Python float all the same."""
    check_replay(probes, [0.75, 0.5, 0.5, 0.625, 0.25], tensors=True, patience=1)


@points(2)
def test_metric_that_is_overwritten(probes):
    """The tensor that holds the metric belongs to the caller, who may write the next value into it."""
    found = probes.metric_in_one_tensor([0.5, 0.25, 0.75, 0.5])
    check(found["answers"] == [False, False, False, True, False], "step gives another answer in some epoch")
    check(found["best"] == 0.25, "best has changed with the tensor that it came from")
    check(
        type(found["other"]) is float and found["other"] == 4.0, "best must be a float, also if the metric has a graph"
    )
    assert_close(found["restored"], after(1), rtol=0.0, atol=0.0, name="state after restore")


@points(2)
def test_restore_again_and_again(probes):
    """What is kept must not be reached by training after restore, and a better epoch replaces it."""
    found = probes.restore_repeatedly()
    assert_close(found["first"], after(1), rtol=0.0, atol=0.0, name="state after the first restore")
    assert_close(found["second"], after(1), rtol=0.0, atol=0.0, name="state after the second restore")
    assert_close(found["third"], after(4), rtol=0.0, atol=0.0, name="state after a better epoch")


@points(2)
def test_the_model_keeps_its_tensors(probes):
    """restore writes into the model's own tensors: an optimizer made before must still move them."""
    found = probes.with_an_optimizer()
    check(found["untouched"] is True, "step has changed the model")
    check(found["grad_kept"] is True, "step has taken a gradient from the model")
    check(found["same"] is True, "the model has other tensors than before")
    check(found["flags"][0] == [True, False, True, True], "requires_grad has changed")
    check(found["flags"][1] == [True, True, False], "the mode has changed")
    moved = after(1)["0.weight"] - 1
    assert_close(found["moved"], moved, name="a weight after a step of the optimizer")


@points(1)
def test_nothing_to_restore(probes):
    """Before any improvement restore leaves the model as it is."""
    found = probes.restore_first()
    check(found["raised"] == "", "restore must not raise before the first step")
    assert_close(found["state"], after(7), rtol=0.0, atol=0.0, name="state of the model")


@points(1)
def test_restore_into_another_model(probes):
    """restore puts the kept state into the model that it is given, which may be another one than step has seen."""
    found = probes.into_another()
    assert_close(found["given"], after(1), rtol=0.0, atol=0.0, name="state of the model that was given to restore")
    assert_close(found["other"], after(2), rtol=0.0, atol=0.0, name="state of the model that was not")


@points(2)
def test_tensors_of_any_dtype(probes, rng):
    """Parameters and buffers come back bit for bit, whatever their dtype: large integers, half precision, no element."""
    state = {
        "wide": rng.randn(3, 2, dtype=torch.float64),
        "narrow": rng.randn(4),
        "brief": rng.randn(3).to(torch.bfloat16),
        "count": torch.tensor(2**53 + 1 + 2 * rng.integer(0, 99)),
        "seen": rng.mask(5),
        "empty": torch.zeros(0, 3),
    }
    found = probes.of_any_dtype(state)
    assert_close(found, state, rtol=0.0, atol=0.0, name="state after restore")


@points(1)
def test_restore_in_between(probes):
    """restore may be called at any time: it changes neither the count of bad steps nor best."""
    found = probes.restored_on_the_way([0.5, 0.6, 0.7, 0.6], patience=2)
    check(found["answers"] == [False, False, False, True], "step gives another answer after restore")
    check(found["best"] == [0.5] * 4, "best has another value after restore")


@points(1)
def test_two_at_once(probes):
    """Two objects have two memories."""
    found = probes.two_stoppers()
    check(found["answers"] == [(False, False), (False, True), (True, False)], "step gives another answer")
    assert_close(found["low"], after(1), rtol=0.0, atol=0.0, name="state of the lowest")
    assert_close(found["high"], after(2), rtol=0.0, atol=0.0, name="state of the highest")


@points(1)
@pytest.mark.parametrize(
    "settings",
    [{"patience": -1}, {"patience": 1, "min_delta": -0.1}]
    + [{"patience": 1, "mode": mode} for mode in ("minimum", "MAX", "mi", "")],
    ids=["patience", "min-delta", "mode", "upper-case", "part-of-a-mode", "empty-mode"],
)
def test_impossible_settings(probes, settings):
    """The constructor refuses a negative patience or min_delta, and a mode that it does not know."""
    check(probes.refusal(settings) == "ValueError", "the constructor must raise ValueError")


@points(1)
def test_zero_is_a_setting(probes):
    """Zero is allowed for patience and for min_delta."""
    check_replay(probes, [1.0, 0.5, 0.5], patience=0, min_delta=0.0, mode="min")
