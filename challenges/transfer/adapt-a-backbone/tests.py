"""Hidden tests: adapt."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, check, points, sample

KINDS = ("plain", "two", "deep", "row")
FEATURES = {"plain": 6, "two": 6, "deep": 8, "row": 6}
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


def data(seed, n=8, classes=3):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, 5, generator=generator), torch.arange(n) % classes


def check_logits(found, name):
    """Old features with the new weight and bias."""
    check(len(found["weights"]) == 2, "exactly weight and bias of the new head must learn")
    weight, bias = found["weights"]
    assert_close(found[name], F.linear(found["features"], weight, bias), scale=4.0, name=f"logits in {name} mode")


@sample
@points(1)
def test_shape_of_the_logits(probes):
    """The new head has as many outputs as there are classes."""
    found = probes.look("plain", 7, data(0)[0], 1)
    check(tuple(found["eval"].shape) == (8, 7), "the logits must have the shape (N, n_classes)")


@sample
@points(1)
def test_only_the_head_learns(probes):
    """Two parameters require gradients: the new weight and the new bias."""
    found = probes.look("plain", 7, data(0)[0], 1)
    check(found["learning"] == [(7, 6), (7,)], "exactly the weight and the bias of the new head must learn")


@sample
@points(1)
def test_the_old_model_stays(probes):
    """The model that was given keeps its layers, values, flags, gradients and modes."""
    check(probes.look("row", 2, data(0)[0], 1)["unchanged"] is True, "the model that was given has changed")


@points(2)
@EACH_KIND
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
def test_logits(probes, rng, kind, dtype):
    """The adapted network must be the old one in evaluation mode with another head, in training mode as well."""
    found = probes.look(kind, 5, 2 * rng.randn(7, 5, dtype=dtype) + 1, rng.seed())
    check(found["learning"] == [(5, FEATURES[kind]), (5,)], "exactly weight and bias of the new head must learn")
    for name in ("eval", "train", "again"):
        check_logits(found, name)


@points(2)
@EACH_KIND
def test_nothing_is_left_behind(probes, rng, kind):
    """The old head is gone, no old gradient is left on frozen parameters, and the given model is as it was."""
    found = probes.look(kind, 4, rng.randn(6, 5), rng.seed())
    check(found["left"] == [], "a frozen parameter still has a gradient")
    sizes = {"plain": 48 + 28, "two": 56 + 48 + 28, "deep": 64 + 36, "row": 48 + 28}
    check(found["elements"] == sizes[kind], "the result has parameters that do not belong there, or lacks some")
    check(found["unchanged"] is True, "the model that was given has changed")
    check(found["comes_training"] is True, "the result must come in training mode")


@points(1)
def test_fresh_head(probes, rng):
    """The new head is initialised as linear layers are, differently for each seed, and is not that of the old model."""
    x = rng.randn(5, 5)
    first, second = (probes.look("plain", 4, x, seed)["weights"] for seed in (1, 2))
    check(len(first) == len(second) == 2, "exactly weight and bias of the new head must learn")
    check(bool((first[0] != second[0]).all()), "the new weight must be drawn at random")
    check(float(first[0].abs().max()) <= 6**-0.5 + 1e-6, "the new weight must have the scale of a fresh nn.Linear")


@points(2)
@EACH_KIND
def test_modes(probes, kind):
    """train() reaches the head alone: what is frozen stays in evaluation mode, however often it is called."""
    wanted = (False, True, False, True, True, False)
    for mode, (training, head, others, returned) in zip(wanted, probes.modes(kind), strict=True):
        check(training is mode and head == [mode], "the adapted model or its head is in the wrong mode")
        check(others is False, "a frozen batch norm or dropout is in training mode")
        check(returned is True, "train() and eval() must return the adapted model")


@points(2)
@EACH_KIND
@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_ten_steps(probes, rng, kind, optimizer):
    """Ten steps of an optimizer over all parameters must move the head, and leave all the rest bit for bit."""
    found = probes.ten_steps(kind, 2 * rng.randn(12, 5) + 1, torch.arange(12) % 3, rng.seed(), optimizer)
    check(found["only the head"] is True, "something besides the head has moved: a parameter or a running statistic")
    check(found["the head"] is True, "the head has not moved")
    check(found["unchanged"] is True, "the model that was given has changed")


@points(2)
def test_trained_features_help(probes, rng):
    """A head on the trained backbone must beat one on a random backbone: are the trained weights still there?"""
    seed = rng.seed()
    check(probes.accuracy(seed, True) > probes.accuracy(seed, False) + 0.15, "the trained backbone is of no use")


@points(1)
def test_two_heads(probes, rng):
    """One network may be adapted twice; the two results have nothing in common that learns."""
    first, second, apart = probes.two_heads(rng.randn(4, 5))
    check(first == (4, 2) and second == (4, 9), "the logits must have the shape (N, n_classes)")
    check(apart is True, "training one result has changed the other")


@points(1)
@pytest.mark.parametrize(
    ("kind", "n_classes"), [("none", 3), ("plain", 0), ("plain", -2)], ids=["no-linear", "no-class", "negative"]
)
def test_refusals(probes, kind, n_classes):
    """Without a linear layer, or without a class, there is nothing to adapt."""
    check(probes.refusal(kind, n_classes) == "ValueError", "adapt must raise ValueError")


@points(1)
def test_one_class(probes, rng):
    """One class is one logit."""
    found = probes.look("deep", 1, rng.randn(3, 5), rng.seed())
    check_logits(found, "eval")
