"""Hidden tests: what a model holds, and a snapshot that stays what it was."""

import math

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
BIT_FOR_BIT = {"rtol": 0.0, "atol": 0.0}
KEYS = ("total", "trainable", "frozen", "buffers", "shared")


def check_counts(found, *numbers):
    check(type(found) is dict and set(found) == set(KEYS), f"the result is not a dict with the keys {', '.join(KEYS)}")
    assert_close(found, dict(zip(KEYS, numbers, strict=True)), name="inventory")


def batches_for(rng, count, dtype=F32, features=5):
    return [2 * rng.randn(6, features, dtype=dtype) + 1 for _ in range(count)]


def check_snapshot(found, index):
    """The stored state is that of the update with this index, before and after restoring and training on."""
    check(found["stored"], "no state was stored")
    for state in [*found["trained_on"], *found["restored"], found["last"]]:
        assert_close(state, found["states"][index], **BIT_FOR_BIT, name="state")
    check(found["data"], "a tensor of the stored state requires a gradient")


@sample
@points(1)
def test_one_linear_layer(probes):
    """inventory: 3 · 5 weights and 5 biases, all of them trainable, no buffers."""
    check_counts(probes.counted("linear")["found"], 20, 20, 0, 0, 0)


@sample
@points(1)
def test_the_best_is_kept(probes):
    """BestModel: the second of three states was the best, and training on must not change what was stored."""
    batches = [torch.ones(4, 3) + i * torch.eye(4)[:, :3] for i in range(3)]
    found = probes.tracked("frozen", [0.25, 0.75, 0.5], batches, F32)
    check(found["answers"] == [True, True, False], "update() should return whether the score was the best so far")
    assert_close(found["best_score"], 0.75, name="best_score")
    check_snapshot(found, 1)


@sample
@points(1)
def test_before_the_first_score(probes):
    """BestModel: at first there is neither a score nor a state, and restoring raises RuntimeError."""
    check(
        probes.restored_too_early(0.0) == "RuntimeError", "restore() without a stored state should raise RuntimeError"
    )
    found = probes.tracked("frozen", [1.0], [torch.ones(4, 3)], F32)
    assert_close(found["first"], (None, None), name="best_score and state at first")


@points(2)
def test_tied_weights(probes):
    """inventory: a weight with two names counts once in total, and once more in shared; buffers count saved or not."""
    check_counts(probes.counted("tied")["found"], 25, 25, 0, 14, 15)


@points(2)
def test_a_module_under_three_names(probes):
    """inventory: a module that is there three times has three names for each parameter; some may be frozen."""
    check_counts(probes.counted("thrice")["found"], 15, 12, 3, 0, 18)


@points(2)
def test_buffers(probes):
    """inventory: a buffer that two modules share counts once, and one that is None not at all."""
    check_counts(probes.counted("shared-buffer")["found"], 10, 5, 5, 17, 0)


@points(1)
def test_equal_values_are_not_shared(probes):
    """inventory: two layers with equal values are two layers."""
    check_counts(probes.counted("equal-copies")["found"], 16, 16, 0, 0, 0)


@points(1)
def test_objects_are_counted(probes):
    """inventory: two parameter objects are two, though their values lie in the same memory."""
    check_counts(probes.counted("same-memory")["found"], 12, 12, 0, 0, 0)


@points(1)
def test_nothing_to_count(probes):
    """inventory: a model without parameters has five zeros; a frozen layer is frozen, not missing; nothing is changed."""
    check_counts(probes.counted("empty")["found"], 0, 0, 0, 0, 0)
    found = probes.counted("frozen")
    check_counts(found["found"], 42, 30, 12, 11, 0)
    check(found["same"], "the model was changed")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("kind", ["tied", "frozen"])
def test_snapshot(probes, rng, kind, dtype):
    """BestModel: the stored state differs from the model's at the best score: think of buffers, and of memory."""
    batches = batches_for(rng, 4, dtype, 5 if kind == "tied" else 3)
    found = probes.tracked(kind, [0.1, 0.9, 0.3, 0.5], batches, dtype)
    check(
        found["answers"] == [True, True, False, False], "update() should return whether the score was the best so far"
    )
    check_snapshot(found, 1)


@points(2)
def test_restored_twice(probes, rng):
    """BestModel: after a restore the model is trained on, and the stored state must still be the same."""
    found = probes.tracked("tied", [0.5, 0.25], batches_for(rng, 2), F32, rounds=3)
    check_snapshot(found, 0)


@points(2)
def test_restored_in_place(probes, rng):
    """BestModel: restoring must keep the parameter objects, their memory and their flags, so that the optimizer goes on."""
    for kind, features in (("tied", 5), ("frozen", 3)):
        found = probes.tracked(kind, [0.5, 0.25], batches_for(rng, 2, features=features), F32)
        check(found["stored"], "no state was stored")
        check(found["objects"] and found["places"], "the parameters are other objects than before, or lie elsewhere")
        check(found["flags"], "requires_grad of a parameter has changed")
        name = "gain" if kind == "tied" else "0.weight"
        check(not torch.equal(found["moved"][name], found["restored"][0][name]), "a step after restore() moves nothing")
        assert_close(found["returned"], None, name="what restore() returns")


@points(2)
def test_scores_below_zero(probes, rng):
    """BestModel: scores may be negative: larger is better, wherever they are."""
    found = probes.tracked("tied", [-3.0, -5.0, -1.0, -2.0], batches_for(rng, 4), F32)
    check(
        found["answers"] == [True, False, True, False], "update() should return whether the score was the best so far"
    )
    assert_close(found["best_score"], -1.0, name="best_score")
    check_snapshot(found, 2)


@points(1)
def test_minus_infinity(probes, rng):
    """BestModel: a first score of minus infinity is larger than none, and an equal one is not larger."""
    found = probes.tracked("tied", [-math.inf, -math.inf, -2.0], batches_for(rng, 3), F32)
    check(found["answers"] == [True, False, True], "update() should return whether the score was the best so far")
    check_snapshot(found, 2)


@points(1)
def test_equal_scores(probes, rng):
    """BestModel: an equal score is not larger; the earlier state stays."""
    found = probes.tracked("tied", [0.5, 0.5, 0.5], batches_for(rng, 3), F32)
    check(found["answers"] == [True, False, False], "an equal score is no success")
    check_snapshot(found, 0)


@points(2)
def test_nan_is_no_score(probes, rng):
    """BestModel: NaN is never the best, neither at first nor later, and does not stand in the way of later scores."""
    found = probes.tracked("tied", [math.nan, 0.25, math.nan, 0.5, 0.75], batches_for(rng, 5), F32)
    check(found["answers"] == [False, True, False, True, True], "update() should return False for NaN alone")
    assert_close(found["best_score"], 0.75, name="best_score")
    check_snapshot(found, 4)
    check(probes.restored_too_early(math.nan) == "RuntimeError", "after NaN alone, restore() should raise RuntimeError")
