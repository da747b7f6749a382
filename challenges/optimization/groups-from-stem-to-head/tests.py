"""Hidden tests: groups of models with the peculiarities of real ones, by name and by the step of a real optimizer."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64

# stage -> (parameters with decay, parameters without), from stem to head
STAGES = {
    "plain": {
        "stem": (["stem.weight"], ["stem.bias"]),
        "norm": ([], ["norm.weight", "norm.bias"]),
        "body": (["body.0.weight", "body.2.weight"], ["body.0.bias", "body.1.weight", "body.1.bias"]),
        "head": (["head.weight"], ["head.bias"]),
    },
    "tokens": {
        "patches": (["positions", "patches.weight"], ["mask", "scale", "patches.bias"]),
        "blocks": (["blocks.0.weight", "blocks.1.weight"], ["blocks.0.bias", "blocks.1.bias"]),
        "head": (["head.weight"], ["head.bias"]),
    },
    "tied": {
        "embedding": (["embedding.weight"], []),
        "blocks": (["blocks.0.weight", "blocks.1.weight"], ["blocks.0.bias", "blocks.1.bias"]),
        "again": ([], ["again.1.weight", "again.1.bias"]),
        "head": ([], ["head.bias"]),
    },
    "alike": {
        "block": (["table", "block.weight"], ["block.bias"]),
        "block1": (["block1.weight"], ["block1.bias"]),
        "block10": ([], ["block10.bias"]),
    },
    "twins": {name: ([f"{name}.weight"], [f"{name}.bias"]) for name in ("first", "second", "third")},
}
FROZEN = {
    "nothing": ("plain", []),
    "the-stem": ("plain", ["stem"]),
    "the-middle": ("plain", ["norm", "body.1", "body.2"]),
    "all-but-the-head": ("plain", ["stem", "norm", "body"]),
    "the-head": ("plain", ["head"]),
    "own-parameters": ("tokens", []),
    "own-parameters-some-frozen": ("tokens", ["positions", "patches"]),
    "tied": ("tied", []),
    "tied-frozen": ("tied", ["embedding"]),
    "twins": ("twins", ["second"]),
    "names-that-begin-alike": ("alike", []),
}


def expected_groups(kind, frozen, base_lr, layer_decay, weight_decay):
    stages, groups = STAGES[kind], []
    for place, (stage, lists) in enumerate(stages.items()):
        rate = base_lr * layer_decay ** (len(stages) - 1 - place)
        for names, suffix, decay in zip(lists, ("decay", "no_decay"), (weight_decay, 0.0), strict=True):
            params = [name for name in names if not name.startswith(tuple(frozen))]
            if params:
                groups.append({"name": f"{stage}.{suffix}", "params": params, "lr": rate, "weight_decay": decay})
    return groups


def numbers_of(rng):
    return [rng.uniform(0.01, 0.1), rng.uniform(0.5, 0.9), rng.uniform(0.01, 0.2)]


def check_groups(outcome, expected):
    check(outcome["lists"], 'build_groups must return a list of dicts with a list under "params"')
    groups = outcome["groups"]
    found, wanted = ([name for group in gs for name in group["params"]] for gs in (groups, expected))
    check(len(found) == len(set(found)), "a parameter is in two groups")
    missing = sum(name not in found for name in wanted)
    check(missing == 0, f"{missing} trainable parameters are in no group")
    check(len(found) == len(wanted), "a frozen parameter is in a group")
    check([g.get("name") for g in groups] == [g["name"] for g in expected], "groups have other names or another order")
    for group, right in zip(groups, expected, strict=True):
        check(group["params"] == right["params"], "a group has other parameters, or in another order")
        floats = type(group.get("lr")) is float and type(group.get("weight_decay")) is float
        check(floats, '"lr" and "weight_decay" must be Python floats')
        assert_close(group["lr"], right["lr"], rtol=1e-9, name="rate of a group")
        assert_close(group["weight_decay"], right["weight_decay"], rtol=1e-9, name="decay of a group")


@sample
@points(1)
def test_four_stages(probes):
    """Four stages and an activation: rates 1/8, 1/4, 1/2 and 1, and seven groups, since the norm has nothing to decay."""
    outcome = probes.grouped("plain", [], [1.0, 0.5, 0.1], F32)
    groups = outcome["groups"]
    names = [
        "stem.decay",
        "stem.no_decay",
        "norm.no_decay",
        "body.decay",
        "body.no_decay",
        "head.decay",
        "head.no_decay",
    ]
    check([group["name"] for group in groups] == names, "the groups have other names or another order")
    assert_close([g["lr"] for g in groups], [0.125, 0.125, 0.25, 0.5, 0.5, 1.0, 1.0], name="rates")
    assert_close([g["weight_decay"] for g in groups], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1, 0.0], name="decays")


@sample
@points(1)
def test_frozen_stem(probes):
    """A frozen stem is in no group, and the rates of the other stages stay what they were."""
    groups = probes.grouped("plain", ["stem"], [1.0, 0.5, 0.1], F32)["groups"]
    check(groups[0]["name"] == "norm.no_decay", "the first group should be that of the norm")
    assert_close(groups[0]["lr"], 0.25, name="rate of the norm")


@sample
@points(1)
def test_forgotten_body(probes):
    """An optimizer that was given the stem and the head only: left_out lists the five parameters in between."""
    names = probes.forgotten("plain", ["norm"], [["stem.weight", "stem.bias"], ["head.weight", "head.bias"]])
    body = ["body.0.weight", "body.0.bias", "body.1.weight", "body.1.bias", "body.2.weight"]
    assert_close(names, body, name="names")


@points(3)
@pytest.mark.parametrize("case", FROZEN)
def test_groups(probes, rng, case):
    """A group differs from the statement: look at shared, frozen and directly owned parameters, and at the rates."""
    kind, frozen = FROZEN[case]
    numbers = numbers_of(rng)
    outcome = probes.grouped(kind, frozen, numbers, F64 if len(case) % 2 else F32)
    check_groups(outcome, expected_groups(kind, frozen, *numbers))
    check(outcome["unchanged"], "build_groups has changed the model")


@points(1)
def test_whole_numbers(probes):
    """Rates and decays are floats when whole numbers are passed, and layer_decay=1 gives all stages one rate."""
    check_groups(probes.grouped("twins", [], [2, 1, 0], F32), expected_groups("twins", [], 2.0, 1.0, 0.0))


@points(1)
def test_same_groups_again(probes, rng):
    """Building the groups of an equal model again gives the same names in the same order, so saved states still fit."""
    numbers = numbers_of(rng)
    for _ in range(2):
        outcome = probes.grouped("tied", [], numbers, F32)
        check_groups(outcome, expected_groups("tied", [], *numbers))


@points(2)
@pytest.mark.parametrize("kind", ["plain", "tokens", "tied"])
def test_a_real_step(probes, rng, kind):
    """A step of SGD moves each parameter by rate times (gradient plus decay): one has moved by another amount."""
    numbers = numbers_of(rng)
    frozen = ["head.bias"]
    moved = probes.stepped(kind, frozen, numbers)
    expected = dict.fromkeys(moved, 0.0)
    for group in expected_groups(kind, frozen, *numbers):
        for name in group["params"]:
            expected[name] = group["lr"] * (1.0 + 2.0 * group["weight_decay"])
    for name, distance in moved.items():
        assert_close(distance, expected[name], rtol=1e-6, atol=1e-12, name="distance that a parameter has moved")


HELD = {
    "nothing-missing": (
        "twins",
        [],
        [["first.weight", "first.bias", "second.weight"], ["second.bias"], ["third.weight", "third.bias"]],
    ),
    "twins": ("twins", [], [["second.weight", "first.bias"]]),
    "several-groups": ("plain", [], [["head.bias"], ["stem.weight"], ["norm.bias", "body.1.weight"]]),
    "frozen": ("plain", ["stem", "body.0"], [["head.weight", "stem.weight"]]),
    "tied": ("tied", [], [["embedding.weight"], ["blocks.1.bias"]]),
    "own-parameters": ("tokens", [], [["head.weight", "head.bias"]]),
}


@points(2)
@pytest.mark.parametrize("case", HELD)
def test_left_out(probes, case):
    """left_out compares objects: not values, not shapes, and not the first group alone; frozen parameters do not count."""
    kind, frozen, groups = HELD[case]
    order = [name for lists in STAGES[kind].values() for names in lists for name in names]
    held = {name for group in groups for name in group}
    wanted = {name for name in order if name not in held and not name.startswith(tuple(frozen))}
    names = probes.forgotten(kind, frozen, groups)
    check(type(names) is list and len(names) == len(set(names)), "left_out must return a list of different names")
    check(set(names) == wanted, "left_out gives other names than those of the missing trainable parameters")


@points(1)
def test_order_of_left_out(probes):
    """The names come in the order of model.named_parameters(), where the model's own parameters are first."""
    names = probes.forgotten(
        "tokens", [], [["patches.weight"], ["blocks.0.weight", "blocks.1.weight", "blocks.0.bias"]]
    )
    expected = ["positions", "mask", "scale", "patches.bias", "blocks.1.bias", "head.weight", "head.bias"]
    assert_close(names, expected, name="names")


@points(1)
def test_unfrozen_later(probes):
    """What is unfrozen after the optimizer was made is not in it: left_out must list it then, and not before."""
    before, after = probes.unfrozen_later()
    check(before == [], "nothing trainable is missing while the backbone is frozen")
    check(
        len(after) == 5 and all(name.startswith("body") for name in after), "the unfrozen body is missing, and only it"
    )


@points(1)
@pytest.mark.parametrize("kind", ["plain", "tokens", "tied"])
def test_own_groups_are_complete(probes, kind):
    """An optimizer with the groups of build_groups holds all trainable parameters, and AdamW accepts the groups."""
    assert_close(probes.own_groups_are_complete(kind), [], name="names that are left out")
