"""Hidden tests: interrupted runs go on as if nothing had happened."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

SIZES = (3, 4, 2)
ALL = {"scheduler": True, "scaler": True, "shuffled": True, "augmented": True, "dropout": 0.5}
ALONE = {
    "optimizer": {},
    "scheduler": {"scheduler": True},
    "scaler": {"scaler": True},
    "dropout": {"dropout": 0.5},
    "augmentation": {"augmented": True},
    "shuffling": {"shuffled": True},
}


def weights_of(rng):
    inputs, hidden, outputs = SIZES
    shapes = {"first.weight": (hidden, inputs), "first.bias": (hidden,)}
    shapes |= {"norm.weight": (hidden,), "norm.bias": (hidden,), "norm.running_mean": (hidden,)}
    shapes |= {"last.weight": (outputs, hidden), "last.bias": (outputs,)}
    weights = {name: rng.randn(*shape, dtype=torch.float64) for name, shape in shapes.items()}
    weights["norm.running_var"] = 1 + rng.rand(hidden, dtype=torch.float64)
    return weights | {"norm.num_batches_tracked": torch.tensor(rng.integer(0, 9))}


def data(rng):
    return rng.randn(8, SIZES[0], dtype=torch.float64), rng.randn(8, SIZES[2], dtype=torch.float64)


def plan_of(rng, **parts):
    plan = {"sizes": SIZES, "seed": rng.integer(0, 10**6), "best": rng.uniform(0, 1), "epochs": 4, "stop": 1}
    return {**plan, **parts}


def check_found(found, expected, otherwise):
    """Check the type first, so that a list is not reported as a wrong value. A string is the name of what `resume` raised."""
    check(isinstance(found, tuple | str), f"resume must return a tuple, got {type(found).__name__[:40]}")
    check(found == expected, otherwise)


def goes_on(probes, rng, **parts):
    plan, weights, (x, y) = plan_of(rng, **parts), weights_of(rng), data(rng)
    found, expected = (f(plan, weights, x, y) for f in (probes.interrupted, probes.uninterrupted))
    check(found["next"] == plan["stop"] + 1, "resume did not give the epoch after the one that was finished")
    assert_close(found["best"], plan["best"], name="best")
    for name in ("losses", "weights", "rate", "scale"):
        assert_close(found[name], expected[name], rtol=1e-12, name=f"{name} of the resumed run")
    return found


@sample
@points(1)
def test_epoch_and_best(probes, rng):
    """resume gives the epoch after the finished one, and the best metric as it was saved."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "norm.weight": (4,), "norm.bias": (4,)}
    shapes |= {"norm.running_mean": (4,), "norm.running_var": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: torch.ones(shape, dtype=torch.float64) for name, shape in shapes.items()}
    weights["norm.num_batches_tracked"] = torch.tensor(0)
    plan = {"sizes": (3, 4, 2), "seed": 1, "scheduler": True, "scaler": True, "shuffled": True}
    found = probes.needs_less(plan, weights)
    check(found == (7, 0.75), "the tuple (7, 0.75) was expected after epoch 6 with best 0.75")


@sample
@points(1)
def test_no_checkpoint_yet(probes, rng):
    """Without a file resume touches nothing and gives (0, None)."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "norm.weight": (4,), "norm.bias": (4,)}
    shapes |= {"norm.running_mean": (4,), "norm.running_var": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: rng.rand(*shape, dtype=torch.float64) for name, shape in shapes.items()}
    weights["norm.num_batches_tracked"] = torch.tensor(3)
    found = probes.nothing_there({"sizes": (3, 4, 2)}, weights)
    check(found["found"] == (0, None), "the tuple (0, None) was expected")
    assert_close(found["weights"], weights, rtol=0.0, atol=0.0, name="weights")
    check(not found["drawn"], "the random state was changed")


@sample
@points(2)
def test_plain_run(probes, rng):
    """An interrupted run of SGD with momentum ends with other weights than an uninterrupted one."""
    shapes = {"first.weight": (4, 3), "first.bias": (4,), "norm.weight": (4,), "norm.bias": (4,)}
    shapes |= {"norm.running_mean": (4,), "norm.running_var": (4,), "last.weight": (2, 4), "last.bias": (2,)}
    weights = {name: rng.rand(*shape, dtype=torch.float64) for name, shape in shapes.items()}
    weights["norm.num_batches_tracked"] = torch.tensor(0)
    x, y = rng.randn(8, 3, dtype=torch.float64), rng.randn(8, 2, dtype=torch.float64)
    plan = {"sizes": (3, 4, 2), "seed": 5, "best": 0.5, "epochs": 3, "stop": 0}
    found, expected = (f(plan, weights, x, y) for f in (probes.interrupted, probes.uninterrupted))
    assert_close(found["losses"], expected["losses"], rtol=1e-12, name="losses")
    assert_close(found["weights"], expected["weights"], rtol=1e-12, name="weights")


@points(2)
@pytest.mark.parametrize("part", list(ALONE))
def test_each_part_goes_on(probes, rng, part):
    """A run with one source of state (see the test's id) takes another path after resume: that state was not restored."""
    goes_on(probes, rng, **ALONE[part])


@points(3)
def test_everything_together(probes, rng):
    """A run with schedule, scaler, dropout, augmentation and shuffling must go on as if it had not been interrupted."""
    goes_on(probes, rng, **ALL, stop=2, epochs=5)


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_mode_is_left_alone(probes, rng, training):
    """resume leaves the mode of the model as it finds it."""
    found = goes_on(probes, rng, training=training)
    check(found["training"] is training, "resume has changed the mode of the model")


@points(2)
def test_file_is_plain_data(probes, rng):
    """The file must be readable with weights_only=True: states, no objects."""
    x, y = data(rng)
    check(
        probes.loads_safely(plan_of(rng, **ALL), weights_of(rng), x, y),
        "the file holds objects that are not plain data",
    )


@points(2)
def test_hostile_file(probes, rng):
    """A file from somebody else must not run code when it is loaded."""
    found = probes.hostile_file(plan_of(rng), weights_of(rng))
    check(not found["executed"], "resume has executed what lay in the file")
    check(found["raised"], "resume should raise for a file that is not plain data")


@points(2)
def test_failure_while_saving(probes, rng):
    """If saving breaks off in the middle, the error is passed on and the checkpoint from before is still there, whole."""
    weights = weights_of(rng)
    found = probes.fails_while_saving(plan_of(rng), weights)
    check(found["raised"], "the error of the failed save should reach the caller")
    check_found(found["found"], (4, 0.25), "the checkpoint from before is gone")
    assert_close(found["bias"], weights["last.bias"], name="a bias after resume")


@points(1)
def test_first_save_fails(probes, rng):
    """If the very first save breaks off, there is no checkpoint: resume gives (0, None)."""
    found = probes.first_save_fails(plan_of(rng), weights_of(rng))
    check(found["raised"], "the error of the failed save should reach the caller")
    check_found(found["found"], (0, None), "half a checkpoint was left at the path")


@points(1)
def test_path_without_a_folder(probes, rng):
    """A path may be the bare name of a file: its folder is the current one."""
    found = probes.in_the_current_folder(plan_of(rng), weights_of(rng))
    check_found(found, (3, 0.5), "(3, 0.5) was expected after epoch 2 with best 0.5")


@points(1)
@pytest.mark.parametrize("best", [0.0, None], ids=["zero", "none"])
def test_best_of_zero_or_none(probes, rng, best):
    """A best metric of 0.0 is a number, and None is none: each comes back as it was."""
    x, y = data(rng)
    found = probes.interrupted(plan_of(rng, best=best), weights_of(rng), x, y)
    check(found["best"] == best and type(found["best"]) is type(best), "best is not what was saved")


@points(1)
def test_disabled_scaler(probes, rng):
    """A scaler with enabled=False has an empty state: it was saved, and can be restored."""
    goes_on(probes, rng, scaler="disabled")


@points(1)
@pytest.mark.parametrize("narrow", [False, True], ids=["layer-missing", "one-output"])
def test_other_network(probes, rng, narrow):
    """A checkpoint of another network raises RuntimeError; nothing is skipped silently, nothing stretched to fit."""
    raised = probes.other_network(plan_of(rng), weights_of(rng), narrow)
    check(raised == "RuntimeError", "RuntimeError was expected")


@points(1)
@pytest.mark.parametrize("part", ["scheduler", "scaler", "generator"])
def test_part_that_was_not_saved(probes, rng, part):
    """resume raises ValueError when it is given a part that the checkpoint does not have."""
    raised = probes.without_a_part(plan_of(rng, **ALL), weights_of(rng), part)
    check(raised == "ValueError", "ValueError was expected")
