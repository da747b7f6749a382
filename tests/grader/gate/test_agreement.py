"""Checks that the gate finds accepted answers that disagree on edge inputs, although the tests accept all of them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.content.authoring.gate_toml import DisagreementReason, GateToml
from grader.content.package import Lock, Package, load
from grader.content.package import TestSpec as Spec
from grader.gate.agreement import disagreements_found
from grader.judging.workbench import Workbench
from tests.grader.gate.conftest import TOML, write_folder

# The answers of the challenge early-stopping-repair as they once were: one of them takes an infinite loss for an improvement.
FIRST = '''"""Compares with the best loss so far."""

import math


def stops_after(losses, patience):
    best, bad = math.inf, 0
    for epoch, loss in enumerate(losses):
        best, bad = (loss, 0) if loss < best else (best, bad + 1)
        if bad > patience:
            return epoch
    return len(losses)
'''
SECOND = '''"""Remembers the epoch of the best loss."""


def stops_after(losses, patience):
    best = None
    for epoch, loss in enumerate(losses):
        if best is None or loss < losses[best]:
            best = epoch
        if epoch - best > patience:
            return epoch
    return len(losses)
'''
TESTS = '''"""Hidden tests."""

import math


def test_values(solution, rng):
    """It stops after too many epochs without an improvement."""
    for patience in (0, 1, 2):
        losses = [rng.integer(0, 8) / 8 for _ in range(4)]
        assert solution.stops_after(losses, patience) <= 4
    assert solution.stops_after([0.5, math.inf], 1) == 2
'''
ENTRY = ("double(x, shift=0.0)", "stops_after(losses, patience)")


@pytest.fixture
def package(tmp_path: Path) -> Any:
    """A function. It makes a package with two accepted answers and the tests that are given."""

    def made(tests: str = TESTS, first: str = FIRST, second: str = SECOND) -> Package:
        toml = TOML.replace(ENTRY[0], ENTRY[1]).replace('"double"', '"stops_after"')
        folder = write_folder(tmp_path / "kit" / "stopping", tests, reference=first, toml=toml)
        (folder / "submissions" / "accepted" / "b-epoch.py").write_text(second)
        read: Package = load(folder, locked=False)
        return _with_tests(read, "test_values")

    return made


def _with_tests(package: Package, *names: str) -> Package:
    return msgspec.structs.replace(package, lock=Lock(tuple(Spec(name, "A title.", 1) for name in names)))


def test_answers_that_disagree_on_infinities_are_found(process_bench: Workbench, package: Any) -> None:
    found = disagreements_found(process_bench, package(), GateToml())
    assert found
    texts = [finding.text for finding in found]
    assert any("stops_after(losses=[inf, inf, inf, " in text and "patience=0" in text for text in texts), texts
    assert all("Say in the statement what holds" in text for text in texts)
    assert all("infinit" in text for text in texts)


def test_an_infinity_that_no_test_passes_is_not_permitted(process_bench: Workbench, package: Any) -> None:
    finite = TESTS.replace("math.inf]", "0.75]")
    assert disagreements_found(process_bench, package(finite), GateToml()) == []


def test_a_reason_excuses_and_a_needless_one_is_found(process_bench: Workbench, package: Any) -> None:
    reason = "The statement leaves open what an infinite loss is."
    kinds = ("an infinity", "infinities", "zeros")
    why = GateToml(disagreement=tuple(DisagreementReason("stops_after", kind, reason) for kind in kinds))
    found = [finding.text for finding in disagreements_found(process_bench, package(), why)]
    assert found == ["gives a reason for a disagreement on 'zeros' of stops_after, and there is none: remove it"]


def test_what_the_tests_leave_open_and_what_an_answer_refuses_is_no_disagreement(
    process_bench: Workbench, package: Any
) -> None:
    draws = "import random\n\n\ndef stops_after(losses, patience):\n    return random.random()\n"
    assert disagreements_found(process_bench, package(first=draws), GateToml()) == []
    other = FIRST.replace("return len(losses)", "return len(losses) + 1")
    assert disagreements_found(process_bench, package(first=other), GateToml()) == []
    refuses = FIRST.replace("    best, bad", "    if math.inf in losses:\n        raise ValueError\n    best, bad", 1)
    assert disagreements_found(process_bench, package(first=refuses), GateToml()) == []


def test_calls_of_probes_are_repeated(process_bench: Workbench, package: Any) -> None:
    probes = "def run(solution, losses):\n    return {'epoch': solution.stops_after(losses, 0)}\n"
    tests = TESTS.replace("(solution, rng)", "(probes, rng)").replace(
        "solution.stops_after(losses, patience) <= 4", "probes.run(losses)['epoch'] <= 4"
    )
    tests = tests.replace("solution.stops_after([0.5, math.inf], 1) == 2", "probes.run([0.5, math.inf])['epoch'] == 1")
    made = msgspec.structs.replace(package(tests), probes=probes)
    texts = [finding.text for finding in disagreements_found(process_bench, made, GateToml())]
    assert any("disagree on run(losses=[inf, inf, inf, " in text for text in texts), texts
