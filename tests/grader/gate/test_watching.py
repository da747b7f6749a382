"""Checks saboteurs, which are general ways to break an answer, while they only watch the calls of a reference. They must not
change it. Each saboteur whose change a test could notice must be reported once.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from grader.content.authoring.sabotage import watching as in_the_cell
from grader.content.authoring.sabotage.call_changes import CALLS
from grader.content.authoring.sabotage.value_changes import GRAPHS, VALUES
from grader.content.authoring.sabotage.watching import WATCHES
from grader.content.authoring.saboteurs import BLIND, RAISING, reported, watched
from grader.content.package import Entry
from tests.grader.gate.test_saboteurs import (
    CANNOT,
    CHANGED,
    FUNCTION,
    LINEAR,
    X,
    _as_in_a_cell,  # noqa: F401  (a fixture)
    load,
    run,
)

Watching = Callable[..., Any]
Told = Callable[[Callable[[], object]], list[str]]
NET = Entry("Net", "module", "Net(n, bias=True)")
COUNTER = """
class Counter:
    def __init__(self):
        self.count = 0

    def step(self):
        self.count += 1
"""


@pytest.fixture
def watching(make: Any) -> Watching:
    """A function. `watching(names, body)` returns a function `f` with this body, whose calls the saboteurs in `names` watch."""

    def made(names: list[str], source: str = "return x * 1", *, entry: Entry = FUNCTION) -> Any:
        head = "import torch\n\n\ndef f(x, shift=0.0):\n    " if entry is FUNCTION else ""
        package = make(reference=f"{head}{source}\n", entry=entry)
        return run(watched(package, names), package)

    return made


def constant(n: int) -> Callable[[], torch.Tensor]:
    """Return a function that returns `n`. The key by which a saboteur remembers a call contains the first 60 characters of an
    argument's repr. This function's repr is so short that these characters would include its address.
    """
    return lambda: torch.tensor(n)


@pytest.fixture
def told(capfd: pytest.CaptureFixture[str]) -> Told:
    """A function. It calls its argument and returns the saboteurs that were reported during this call."""

    def made(use: Callable[[], object]) -> list[str]:
        capfd.readouterr()
        use()
        return reported(capfd.readouterr().out)

    return made


def test_all_watch_but_those_that_cannot() -> None:
    assert set(in_the_cell.RAISING) == RAISING
    assert {*VALUES, *GRAPHS, *WATCHES, *RAISING} == {*VALUES, *GRAPHS, *CALLS} - BLIND


@pytest.mark.parametrize("name", CHANGED)
def test_a_change_is_noticed_by_name(watching: Watching, told: Told, name: str) -> None:
    names = ["reseeded", name, "no-error"]
    assert told(lambda: watching(names)(X.clone())) == [name]


def test_all_that_a_call_would_show_are_reported_once(watching: Watching, told: Told) -> None:
    watched = watching(["zeros", "reseeded", "scaled-output", "mutated-input"])
    x = X.clone()
    assert sorted(told(lambda: watched(x))) == ["mutated-input", "scaled-output", "zeros"]
    assert torch.equal(x, X)
    assert told(lambda: watched(X.clone())) == []


def test_what_nobody_would_change_is_returned_as_it_is(watching: Watching) -> None:
    names = [name for name in CANNOT.split() if name not in BLIND]
    assert torch.equal(watching(names, "return x + x")(X.clone()), X + X)
    kept: list[float] = []
    assert watching(names, "return x")(kept) is kept
    assert list(watching(names, "yield x\n    yield x")(1.0)) == [1.0, 1.0]


def test_each_item_of_an_iterator_is_looked_at(watching: Watching, told: Told) -> None:
    items = watching(["zeros"], "yield x * 0\n    yield x")(torch.ones(1))
    assert next(items).item() == 0
    assert told(lambda: next(items)) == ["zeros"]


def test_gradients_randomness_options_and_errors_are_noticed(watching: Watching, told: Told) -> None:
    x = torch.ones(3, requires_grad=True)
    for name in ("detached-output", "halved-gradient", "first-input-cut-off"):
        assert told(lambda name=name: watching([name])(x)) == [name]  # type: ignore[misc]
    assert not watching(["first-input-cut-off"], "return x.detach() * 2")(x).requires_grad
    assert told(lambda: watching(["leaked-gradient"])(torch.ones(2))) == ["leaked-gradient"]
    assert told(lambda: watching(["reseeded"], "return torch.rand(3)")(0)) == ["reseeded"]
    drawing = watching(["ignored-generator"], "return torch.rand(3, generator=x)")
    assert told(lambda: drawing(torch.Generator())) == ["ignored-generator"]
    adding = watching(["ignored-options"], "return x + shift")
    assert adding(1.0, shift=0.0) == 1.0
    assert told(lambda: adding(1.0, shift=2.0)) == ["ignored-options"]

    def refuse() -> None:
        with pytest.raises(ValueError, match="no good"):
            watching(["other-error", "zeros", "no-error"], "raise ValueError('no good')")(1)

    assert sorted(told(refuse)) == sorted(RAISING)


def test_a_call_that_is_left_out_is_noticed_by_what_it_would_have_done(watching: Watching, told: Told) -> None:
    entry = Entry("Counter", "class", "Counter()", methods=("step",))
    names = ["first-result-kept"]
    counter = watching(names, COUNTER, entry=entry)()
    counter.step()
    assert told(counter.step) == ["first-result-kept"]


def test_the_address_of_an_argument_decides_nothing(watching: Watching, told: Told, make: Any) -> None:
    """The key by which a saboteur remembers a call must not depend on addresses. Python may give the address of a deleted
    function to a new one, so chance would decide whether two keys are equal.
    """
    package = make(reference="import torch\n\n\ndef f(x, shift=0.0):\n    return x()\n", entry=FUNCTION)
    functions = [constant(n) for n in range(3)]
    kept = load(package, "first-result-kept")
    assert [kept(function).item() for function in functions] == [0, 0, 0]
    assert [kept(constant(n)).item() for n in range(3)] == [0, 0, 0]
    watched = watching(["first-result-kept"], "return x()")
    watched(functions[0])
    assert told(lambda: watched(functions[1])) == ["first-result-kept"]


@pytest.mark.parametrize(
    "name", ["always-training", "gap-in-state", "extra-parameter", "frozen-parameters", "ignored-settings"]
)
def test_modules_are_watched(watching: Watching, told: Told, name: str) -> None:
    def use() -> None:
        net: nn.Module = watching(["always-evaluating", name], LINEAR, entry=NET)(4, bias=False).eval()
        net(torch.ones(2, 4))
        net.state_dict()

    assert told(use) == [name]


def test_a_mode_in_which_the_reference_itself_raises_says_nothing(watching: Watching) -> None:
    names = ["always-training", "always-evaluating"]
    net = watching(names, LINEAR, entry=NET)(4)
    for module in (net.train(), net.eval()):
        with pytest.raises(RuntimeError, match="shapes"):
            module(torch.ones(2, 5))


def test_a_look_that_fails_has_noticed_something(watching: Watching, told: Told) -> None:
    # To watch, this saboteur computes the sign of a sum. For a meta tensor, which has no values, this raises an error.
    names = ["negated-for-negative"]
    assert told(lambda: watching(names)(torch.ones(2, device="meta"))) == ["negated-for-negative"]


def test_what_is_saved_for_backward_stays_the_same(watching: Watching) -> None:
    saved: list[torch.Tensor] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        saved.append(tensor)
        return tensor

    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        watching(["clamped-output", "nan-swallowed", "last-input-cut-off"], "return x.exp()")(x)
    assert len(saved) == 1
