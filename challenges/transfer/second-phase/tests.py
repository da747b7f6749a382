"""Hidden tests: unfreeze_."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

EVERY = [
    "scale",
    "stem.weight",
    "stem.bias",
    "layer1.0.weight",
    "layer1.0.bias",
    "layer1.1.weight",
    "layer1.1.bias",
    "layer10.weight",
    "head.weight",
    "head.bias",
]
HEAD = EVERY[8:]
LAYER1 = EVERY[3:7]
DEFAULTS = {
    "momentum": {"momentum": 0.9, "weight_decay": 0.01},
    "adamw": {"betas": (0.8, 0.9), "weight_decay": 0.1},
}
EACH_KIND = pytest.mark.parametrize("kind", list(DEFAULTS))


def check_groups(found, kind, added):
    """The head's group first, then one for each (names, lr)."""
    expected = [(HEAD, 0.1), *added]
    groups = found["groups"]
    check(len(groups) == len(expected), "the optimizer has another number of groups than expected")
    for group, (names, lr) in zip(groups, expected, strict=True):
        check(group["names"] == names, "a group holds other parameters, or in another order")
        check(group["lr"] == lr, "the learning rate of a group is wrong")
        for key, value in DEFAULTS[kind].items():
            check(group[key] == value, "an option of a group is not the optimizer's default")


def check_rest(found, added):
    """Flags, stale gradients, state, values and modes."""
    trainable = [name for name in EVERY if name in added or name in HEAD]
    check(found["trainable"] == trainable, "requires_grad of some parameter is wrong")
    check(found["stale"] == [name for name in EVERY if name not in added], "only new parameters lose their gradient")
    check(found["state_kept"] is True, "the optimizer's state has changed")
    check(found["values_kept"] is True, "values of parameters or buffers have changed")
    check(found["modes"] == [True, False, True], "the mode of some module has changed")


@sample
@points(1)
def test_a_module(probes):
    """The parameters below a module go into a group of their own, with the given rate."""
    found = probes.phases("momentum", [("stem", 0.01)], torch.ones(3, 3), 1)
    check(found["results"] == [EVERY[1:3]], "the result must be the names of the new parameters")
    check_groups(found, "momentum", [(EVERY[1:3], 0.01)])


@sample
@points(1)
def test_twice(probes):
    """A second call adds nothing and returns an empty list."""
    found = probes.phases("momentum", [("stem", 0.01), ("stem", 0.02)], torch.ones(3, 3), 2)
    check(found["results"] == [EVERY[1:3], []], "the second call must return an empty list")
    check_groups(found, "momentum", [(EVERY[1:3], 0.01)])


@sample
@points(1)
def test_misspelt(probes):
    """A prefix that matches nothing raises ValueError, and nothing has changed."""
    found = probes.phases("momentum", [("layers", 0.01)], torch.ones(3, 3), 3)
    check(found["results"] == ["ValueError"], "a prefix without a match must raise ValueError")
    check_groups(found, "momentum", [])
    check_rest(found, [])


@points(3)
@EACH_KIND
@pytest.mark.parametrize(
    ("prefix", "which"),
    [
        ("layer1", LAYER1),
        ("layer1.0", LAYER1[:2]),
        ("layer1.1.bias", LAYER1[3:]),
        ("layer10", ["layer10.weight"]),
        ("scale", ["scale"]),
    ],
    ids=["module", "inner", "parameter", "alike", "direct"],
)
def test_one_call(probes, rng, kind, prefix, which):
    """Names are compared whole; the new group, the flags or something that should stay as it was is wrong."""
    lr = rng.uniform(0.001, 0.09)
    found = probes.phases(kind, [(prefix, lr)], rng.randn(8, 3), rng.seed())
    check(found["results"] == [which], "the result must be the names of the new parameters")
    check_groups(found, kind, [(which, lr)])
    check_rest(found, which)


@points(3)
@EACH_KIND
def test_what_moves(probes, reference, rng, kind):
    """After the call, one step must move the new parameters and the head, and nothing else."""
    x, seed = rng.randn(8, 3, dtype=torch.float64), rng.seed()
    for prefix, which in (("layer1", LAYER1), ("stem.weight", ["stem.weight"])):
        found, expected = (p.phases(kind, [(prefix, 0.02)], x, seed) for p in (probes, probes.on(reference)))
        check(found["moved"] == [n for n in EVERY if n in which or n in HEAD], "other parameters move than should")
        assert_close(found["weights"], expected["weights"], scale=8.0, name="weights after a step")


@points(2)
@EACH_KIND
def test_parts_that_overlap(probes, rng, kind):
    """What the optimizer holds stays in its group; only the rest of the part is new."""
    calls = [("layer1.1", 0.03), ("layer1", 0.02), ("layer1.0", 0.01)]
    found = probes.phases(kind, calls, rng.randn(8, 3), rng.seed())
    check(found["results"] == [LAYER1[2:], LAYER1[:2], []], "the result must be the names of the new parameters")
    check_groups(found, kind, [(LAYER1[2:], 0.03), (LAYER1[:2], 0.02)])
    check_rest(found, LAYER1)


@points(1)
@EACH_KIND
def test_the_head_itself(probes, rng, kind):
    """Parameters that the optimizer holds keep their group, rate and gradients."""
    found = probes.phases(kind, [("head", 0.01)], rng.randn(8, 3), rng.seed())
    check(found["results"] == [[]], "nothing is new, so the result must be an empty list")
    check_groups(found, kind, [])
    check_rest(found, [])


OLD_GROUPS = [(HEAD, 0.1, 0.5, 0.2), (EVERY[7:8], 0.3, 0.9, 0.01)]


@points(2)
def test_held_and_frozen(probes):
    """A parameter that the optimizer holds and that is frozen becomes trainable, and stays in its group."""
    found = probes.uneven("layer10", 0.02)
    check(found["result"] == [], "nothing is new, so the result must be an empty list")
    check(found["groups"] == OLD_GROUPS, "the groups of the optimizer have changed")
    check(found["trainable"] == [EVERY[1], *EVERY[7:]], "requires_grad of some parameter is wrong")
    check(found["stale"] == EVERY, "a parameter that the optimizer holds has lost its gradient")


@points(2)
def test_trainable_and_not_held(probes):
    """A parameter that is trainable already is new if the optimizer does not hold it; options are the defaults."""
    found = probes.uneven("stem", 0.02)
    check(found["result"] == EVERY[1:3], "the result must be the names of the parameters that were not held")
    new = (EVERY[1:3], 0.02, 0.9, 0.01)
    check(found["groups"] == [*OLD_GROUPS, new], "the new group has other parameters or options than it should")
    check(found["trainable"] == [*EVERY[1:3], *EVERY[8:]], "requires_grad of some parameter is wrong")
    check(found["stale"] == [EVERY[0], *EVERY[3:]], "only new parameters lose their gradient")


@points(2)
@EACH_KIND
def test_stage_by_stage(probes, rng, kind):
    """Several parts, one after the other, each with its own rate."""
    calls = [("layer10", 0.04), ("layer1", 0.02), ("nothing", 0.5), ("stem", 0.01), ("scale", 0.005)]
    found = probes.phases(kind, calls, rng.randn(8, 3), rng.seed())
    parts = [EVERY[7:8], LAYER1, EVERY[1:3], EVERY[:1]]
    check(found["results"] == [*parts[:2], "ValueError", *parts[2:]], "the results of the calls are wrong")
    check_groups(found, kind, list(zip(parts, (0.04, 0.02, 0.01, 0.005), strict=True)))
    check(found["moved"] == EVERY, "after all parts are unfrozen, everything must move")
    check(found["state_kept"] is True, "the optimizer's state has changed")


@points(1)
@pytest.mark.parametrize("prefix", ["layer", "layer1.", "weight", "Stem", "1.weight", "act", "layer1.1.running_mean"])
def test_parts_of_names(probes, rng, prefix):
    """Parts of names, modules without parameters and buffers match no parameter: ValueError, and nothing has changed."""
    found = probes.phases("adamw", [(prefix, 0.01)], rng.randn(8, 3), rng.seed())
    check(found["results"] == ["ValueError"], "a prefix without a match must raise ValueError")
    check_groups(found, "adamw", [])
    check_rest(found, [])
