"""Hidden tests: freeze_ and frozen_share."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

NESTED = [
    "enc.0.weight",
    "enc.0.bias",
    "enc.1.weight",
    "enc.1.bias",
    "enc.2.0.weight",
    "enc.2.0.bias",
    "enc2.weight",
    "enc2.bias",
    "Head.weight",
    "Head.bias",
    "head.0.weight",
    "head.0.bias",
    "head.01.weight",
]
SIZES = [12, 4, 4, 4, 16, 4, 12, 3, 6, 2, 4, 2, 4]
TIED = ["scale", "embed.weight", "body.0.weight", "body.0.bias", "body.1.weight", "out.weight", "out.bias"]


def check_frozen(found, names, expected):
    """The last result, then flags and gradients of every name."""
    check(type(found["results"][-1]) is list, "freeze_ must return a list of names")
    check(found["results"][-1] == expected, "freeze_ returns other names, or another order")
    for name in names:
        check(found["requires"][name] is (name not in expected), "requires_grad of some parameter is wrong")
        check(
            found["has"][name] is (name not in expected), "frozen parameters must lose their gradient, others keep it"
        )
    check(found["same"] is True, "something else has changed: parameters, their values, modes, or the patterns")


@sample
@points(1)
def test_a_module_by_name(probes):
    """The name of a module stands for all parameters below it."""
    found = probes.freeze("nested", [["enc"]])
    check_frozen(found, NESTED, NESTED[:6])


@sample
@points(1)
def test_misspelt(probes):
    """A pattern that matches nothing raises ValueError, and nothing is frozen."""
    found = probes.freeze("nested", [["Head", "encoder"]])
    check(found["results"] == ["ValueError"], "a pattern without a match must raise ValueError")
    check(all(found["requires"].values()) and all(found["has"].values()), "something was frozen before the refusal")


@sample
@points(1)
def test_share_of_a_linear_layer(probes):
    """16 + 4 of 77 elements are frozen."""
    assert_close(probes.share("nested", ["enc.2.0.weight", "enc.2.0.bias"]), 20 / 77)


@points(2)
@pytest.mark.parametrize(
    ("patterns", "which"),
    [
        (["enc.2"], [4, 5]),
        (["enc.2.0.weight"], [4]),
        (["enc2"], [6, 7]),
        (["head.0"], [10, 11]),
        (["Head"], [8, 9]),
        (["head"], [10, 11, 12]),
        (["enc.0", "enc.0.bias", "Head.bias"], [0, 1, 9]),
        (["Head", "enc.0"], [0, 1, 8, 9]),
    ],
    ids=["inner", "parameter", "alike", "whole-names", "upper", "lower", "overlapping", "order"],
)
def test_names(probes, patterns, which):
    """Names are compared whole and with their case; the result is in the order of the model, each name once."""
    check_frozen(probes.freeze("nested", [patterns]), NESTED, [NESTED[i] for i in which])


@points(2)
@pytest.mark.parametrize(
    ("patterns", "which"),
    [
        (["*.bias"], [1, 3, 5, 7, 9, 11]),
        (["*"], range(13)),
        (["enc*"], range(8)),
        (["enc.?"], range(6)),
        (["enc.[02]"], [0, 1, 4, 5]),
        (["?ead.0"], [10, 11]),
        (["enc.*.weight"], [0, 2, 4]),
    ],
    ids=["biases", "all", "star", "one", "set", "question", "middle"],
)
def test_wildcards(probes, patterns, which):
    """Wildcards work in names of parameters and of modules, and a star stands for dots as well."""
    check_frozen(probes.freeze("nested", [patterns]), NESTED, [NESTED[i] for i in which])


@points(2)
@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["out"], ["out.weight", "out.bias"]),
        (["embed"], ["embed.weight"]),
        (["embed", "out"], ["embed.weight", "out.weight", "out.bias"]),
    ],
    ids=["second-name", "first-name", "both"],
)
def test_tied_weights(probes, patterns, expected):
    """A tied parameter is frozen by any of its names, and listed under those that match."""
    found = probes.freeze("tied", [patterns])
    check(found["results"] == [expected], "freeze_ returns other names, or another order")
    frozen = {"embed.weight", "out.weight", *expected}
    for name in TIED:
        check(found["requires"][name] is (name not in frozen), "requires_grad of some parameter is wrong")
        check(found["has"][name] is (name not in frozen), "frozen parameters must lose their gradient, others keep it")
    check(found["same"] is True, "something else has changed: parameters, their values, modes, or the patterns")


@points(1)
def test_parameter_of_the_model_itself(probes):
    """A parameter may stand directly in the model, and layers in a list."""
    check_frozen(probes.freeze("tied", [["scale", "body.1"]]), TIED, ["scale", "body.1.weight"])


@points(1)
@pytest.mark.parametrize("second", [["enc.0"], ["*.bias"]], ids=["the-same", "more"])
def test_twice(probes, second):
    """A second call adds to the first, and lists what was frozen before as well."""
    found = probes.freeze("nested", [["enc.0"], second])
    expected = NESTED[:2] if second == ["enc.0"] else [n for n in NESTED if n.endswith("bias")]
    check(found["results"] == [NESTED[:2], expected], "freeze_ returns other names, or another order")
    check(not any(found["requires"][name] for name in NESTED[:2]), "what was frozen must stay frozen")


@points(1)
@pytest.mark.parametrize(
    "patterns",
    [["weight"], ["enc", "0"], ["enc."], [""], ["*", "HEAD"], ["enc", "act"], ["enc.1.running_*"]],
    ids=["tail", "part", "dot", "nothing", "case", "no-parameters", "buffers"],
)
def test_patterns_without_a_match(probes, patterns):
    """Parts of names, modules without parameters and buffers match no parameter: refused before anything is frozen."""
    found = probes.freeze("nested", [patterns])
    check(found["results"] == ["ValueError"], "a pattern without a match must raise ValueError")
    check(all(found["requires"].values()) and all(found["has"].values()), "something was frozen before the refusal")


@points(1)
def test_no_patterns(probes):
    """An empty list of patterns freezes nothing and returns an empty list."""
    check_frozen(probes.freeze("nested", [[]]), NESTED, [])


@points(1)
def test_dtypes_and_shapes(probes):
    """Parameters of any dtype and shape are frozen, one without elements too."""
    found = probes.freeze("mixed", [["?", "none"]])
    check_frozen(found, ["a", "b", "none"], ["a", "b", "none"])
    assert_close(found["share"], 1.0, name="frozen_share")


@points(2)
def test_gradients_after_freezing(probes, rng):
    """A backward pass makes gradients for what is not frozen, and for nothing else; a frozen prefix records nothing."""
    x = rng.randn(6, 3)
    found = probes.backward("nested", ["enc", "head.01"], x, "enc")
    check(found["recorded"] == [False], "the output of a fully frozen prefix still requires grad")
    free = probes.backward("nested", ["head.01"], x, "enc")
    check(free["recorded"] == [True], "a prefix that is not frozen must be recorded")
    check(set(found["gradients"]) == set(NESTED[6:12]), "gradients were made for the wrong parameters")
    for name, value in found["gradients"].items():
        assert_close(value, free["gradients"][name], name="a gradient behind the frozen prefix")


@points(1)
def test_tied_gradients(probes, rng):
    """A tied weight that is frozen gets no gradient from either of its uses."""
    found = probes.backward("tied", ["out.weight"], rng.randint(0, 7, (5,)), "")
    expected = {"scale", "body.0.weight", "body.0.bias", "body.1.weight", "out.bias"}
    check(set(found["gradients"]) == expected, "gradients were made for the wrong parameters")


@points(2)
def test_shares(probes, rng):
    """The share counts elements, not parameters, and only what is frozen."""
    for _ in range(3):
        keep = [bool(one) for one in rng.mask(13).tolist()]
        frozen = [name for name, one in zip(NESTED, keep, strict=True) if one]
        expected = sum(size for size, one in zip(SIZES, keep, strict=True) if one) / sum(SIZES)
        assert_close(probes.share("nested", frozen), float(expected), name="frozen_share")


@points(2)
def test_share_with_tied_weights(probes):
    """A tied parameter counts once: 28 of 28 + 1 + 16 + 4 + 16 + 7 elements."""
    assert_close(probes.share("tied", ["embed.weight"]), 28 / 72, name="frozen_share")
    assert_close(probes.share("tied", ["out.bias"]), 7 / 72, name="frozen_share")


@points(1)
@pytest.mark.parametrize("kind", ["empty", "hollow"])
def test_share_of_nothing(probes, kind):
    """Without elements there is nothing to divide by: the share is 0.0."""
    assert_close(probes.share(kind, []), 0.0, name="frozen_share")


@points(1)
def test_share_after_freezing(probes):
    """frozen_share sees what freeze_ has done."""
    found = probes.freeze("tied", [["body", "out"]])
    assert_close(found["share"], (16 + 4 + 16 + 28 + 7) / 72, name="frozen_share")
    check(type(found["share"]) is float, "frozen_share must return a float")


def test_nothing_is_frozen_at_first(probes):
    """A fresh model has a share of 0.0, and one that is frozen altogether has 1.0."""
    assert_close(probes.share("nested", []), 0.0, name="frozen_share")
    assert_close(probes.share("nested", NESTED), torch.ones(()).item(), name="frozen_share")
