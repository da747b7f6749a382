"""Hidden tests: trace_shapes. The rows are worked out by hand for random sizes."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32 = torch.float32


def check_rows(actual, expected):
    check(type(actual) is list, f"a list of rows must come back, not {type(actual).__name__[:40]}")
    check(all(type(row) is tuple and len(row) == 4 for row in actual), "every row must be a tuple of four")
    rows = "1 row was" if len(expected) == 1 else f"{len(expected)} rows were"
    check(len(actual) == len(expected), f"{rows} expected, got {len(actual)}")
    names = [row[0] for row in actual]
    check(names == [row[0] for row in expected], "the names, or the order of the rows, are not right")
    for column, what in ((1, "input shapes"), (2, "output shapes"), (3, "output dtypes")):
        wrong = [i for i, (one, other) in enumerate(zip(actual, expected, strict=True)) if one[column] != other[column]]
        check(not wrong, f"the {what} are wrong in row {wrong[0] + 1 if wrong else 0} of {len(expected)}")


def one(name, came, out, dtype=F32):
    """A row with one tensor in and one out."""
    return name, [came], [out], [dtype]


def block_rows(prefix, rows, inputs, hidden, outputs):
    return [
        one(f"{prefix}first", (rows, inputs), (rows, hidden)),
        one(f"{prefix}act", (rows, hidden), (rows, hidden)),
        one(f"{prefix}second", (rows, hidden), (rows, outputs)),
        one(f"{prefix}act", (rows, outputs), (rows, outputs)),
    ]


@sample
@points(1)
def test_a_block(probes):
    """A block of two linear layers and one activation has four rows: the activation is called twice."""
    check_rows(probes.rows("block", [3, 5, 2], [torch.zeros(4, 3)]), block_rows("", 4, 3, 5, 2))


@sample
@points(1)
def test_a_leaf(probes):
    """A model that is a leaf itself has one row, and its name is the empty string."""
    check_rows(probes.rows("linear", [3, 2], [torch.zeros(4, 3)]), [one("", (4, 3), (4, 2))])


@sample
@points(1)
def test_where_it_breaks(probes):
    """When the head does not fit, the last row names it, with the shape that came in and None for what did not come out."""
    expected = [
        one("features.0", (2, 3, 8, 8), (2, 4, 6, 6)),
        one("features.1", (2, 4, 6, 6), (2, 4, 3, 3)),
        one("head.0", (2, 4, 3, 3), (2, 36)),
        ("head.1", [(2, 36)], None, None),
    ]
    check_rows(probes.rows("broken", ["head"], [torch.zeros(2, 3, 8, 8)]), expected)


@points(2)
@pytest.mark.parametrize("rows", [1, 4, 0])
def test_nested(probes, rng, rows):
    """Names are those of named_modules(), the order is that of the calls; containers and unused layers have no row."""
    width, hidden = rng.integer(2, 6), rng.integer(6, 9)
    expected = block_rows("body.blocks.1.", rows, width, hidden, width)
    expected += block_rows("body.blocks.0.", rows, width, hidden, width)
    check_rows(probes.rows("nested", [width, hidden], [rng.randn(rows, width)]), expected)


@points(1)
def test_more_dimensions(probes, rng):
    """Shapes have as many dimensions as the tensors have, also four."""
    shape = tuple(rng.integer(1, 5) for _ in range(3))
    check_rows(probes.rows("linear", [3, 7], [rng.randn(*shape, 3)]), [one("", (*shape, 3), (*shape, 7))])


@points(1)
def test_two_names(probes, rng):
    """A module that is registered under two names has the first of them in both of its rows."""
    n, width = rng.integer(2, 6), rng.integer(2, 6)
    row = one("one", (n, width), (n, width))
    check_rows(probes.rows("tied", [width], [rng.randn(n, width)]), [row, row])


@points(2)
def test_tuples_come_back(probes, rng):
    """An LSTM returns (output, (h, c)): three tensors, in this order. Token ids go into the embedding."""
    n, t = rng.integer(2, 5), rng.integer(5, 8)
    width, hidden, tags = rng.integer(2, 5), rng.integer(5, 8), rng.integer(2, 5)
    expected = [
        one("table", (n, t), (n, t, width)),
        ("lstm", [(n, t, width)], [(n, t, hidden), (1, n, hidden), (1, n, hidden)], [F32] * 3),
        one("score", (n, t, hidden), (n, t, tags)),
    ]
    check_rows(probes.rows("tagger", [9, width, hidden, tags], [rng.randint(0, 9, (n, t))]), expected)


def two_rows(n, left, right, outputs):
    met = (n, outputs)
    return [
        ("meet", [(n, left), (n, right)], [met], [F32]),
        ("shift", [met, (1, outputs)], [met], [F32]),
        ("report", [met, met], [met, met, (n,)], [torch.float64, torch.bool, torch.int64]),
    ]


@points(3)
@pytest.mark.parametrize("n", [1, 3])
def test_two_inputs_keywords_and_containers(probes, rng, n):
    """Several inputs, tensors passed by keyword or in a list, and a dict of several dtypes that comes back."""
    left, right, outputs = rng.integer(2, 4), rng.integer(4, 6), rng.integer(6, 9)
    inputs = [rng.randn(n, left), rng.randn(n, right)]
    check_rows(probes.rows("two", [left, right, outputs], inputs), two_rows(n, left, right, outputs))


@points(1)
def test_it_breaks_at_once(probes, rng):
    """When the very first layer breaks, its row is the only one."""
    n = rng.integer(1, 5)
    expected = [("features.0", [(n, 3, 8, 8)], None, None)]
    check_rows(probes.rows("broken", ["conv"], [rng.randn(n, 3, 8, 8)]), expected)


@points(2)
@pytest.mark.parametrize("where", ["reshape", "value"])
def test_the_model_itself_breaks(probes, rng, where):
    """When the model's own forward breaks, between two layers, the last row is the model: no leaf was running."""
    expected = [
        one("features.0", (2, 3, 8, 8), (2, 4, 6, 6)),
        one("features.1", (2, 4, 6, 6), (2, 4, 3, 3)),
        ("", [(2, 3, 8, 8)], None, None),
    ]
    check_rows(probes.rows("broken", [where], [rng.randn(2, 3, 8, 8)]), expected)


@points(2)
def test_a_container_breaks(probes, rng):
    """When the forward of a container inside the model breaks, the innermost one that was running is named."""
    n, width = rng.integer(2, 6), rng.integer(2, 6)
    shape = (n, width)
    expected = [one("first", shape, shape), one("inner.before", shape, shape), ("inner", [shape], None, None)]
    check_rows(probes.rows("outer", [width], [rng.randn(n, width)]), expected)


@points(1)
def test_it_does_not_break(probes, rng):
    """A pass that succeeds has no row with None, however similar the model."""
    n = rng.integer(1, 5)
    expected = [
        one("features.0", (n, 3, 8, 8), (n, 4, 6, 6)),
        one("features.1", (n, 4, 6, 6), (n, 4, 3, 3)),
        one("head.0", (n, 4, 3, 3), (n, 36)),
        one("head.1", (n, 36), (n, 5)),
    ]
    check_rows(probes.rows("broken", [""], [rng.randn(n, 3, 8, 8)]), expected)


CASES = {"fine": ("lively", [4], (5, 4)), "broken": ("outer", [4], (5, 4))}
EACH_CASE = pytest.mark.parametrize("case", CASES)


def left_behind(probes, rng, case, *, training=True):
    name, arguments, shape = CASES[case]
    return probes.left_behind(name, arguments, [rng.randn(*shape)], training=training)


@attested
@points(2)
@EACH_CASE
def test_no_hooks_stay(probes, rng, case):
    """None of your hooks is left on the model, also when the pass broke; the caller's own hook still hangs there."""
    before, after = left_behind(probes, rng, case)["hooks"]
    check(after <= before, "hooks (or replaced forwards) were left behind")
    check(after >= before, "a hook of the caller has been removed")


@points(1)
@EACH_CASE
def test_one_run(probes, rng, case):
    """The model runs exactly once: running statistics and random state move once, as in any forward pass."""
    left = left_behind(probes, rng, case)
    check(left["calls"] == 1, f"the model was called {left['calls']} times"[:60])
    check(left["random"], "the global random state has moved in another way than one forward pass moves it")
    assert_close(left["state"], left["expected"], name="state_dict()")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_mode(probes, rng, training):
    """The model runs in the mode it is in and keeps it; the inputs are not changed."""
    left = left_behind(probes, rng, "fine", training=training)
    check(left["modes"] == [training], "the mode of the model has changed")
    assert_close(left["state"], left["expected"], name="state_dict()")
    assert_close(left["inputs"], left["copies"], rtol=0.0, atol=0.0, name="inputs")


@points(1)
def test_a_child_that_is_none(probes, rng):
    """A module whose only child is None has none: it is a leaf."""
    shape = (rng.integer(2, 6), rng.integer(2, 6))
    check_rows(probes.rows("hollow", [], [rng.randn(*shape)]), [one("", shape, shape)])


@points(1)
@EACH_CASE
def test_modes_of_all_modules(probes, rng, case):
    """A layer that is in eval mode while the rest trains stays so, whether the pass breaks or not."""
    name, arguments, shape = CASES[case]
    before, after = probes.modes_around(name, arguments, [rng.randn(*shape)])
    check(after == before, "the mode of some module has changed")
