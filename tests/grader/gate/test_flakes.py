"""Accepted answers, judged over and over: refusals are counted and told with their seed."""

from typing import Any

import msgspec
import pytest
from rich.console import Console

from grader.gate.flakes import show, steadiness
from grader.package import Lock
from grader.workbench import Workbench
from tests.grader.gate.conftest import REFERENCE
from tests.grader.gate.test_attack import WEAK

pytestmark = pytest.mark.docker
TESTS = "test_values test_errors"
# Right on all seeds but those for which the first number drawn is large.
FLAKY = REFERENCE.replace("    y = x + x\n", "    y = x + x if float(x.flatten()[0]) < 0.3 else x\n")


def test_steady_answers_are_accepted_each_time(docker_bench: Workbench, make: Any) -> None:
    noted: list[int] = []
    found = steadiness(docker_bench, make(WEAK, tests=TESTS), 7, lambda: noted.append(1))
    assert (found.judgings, found.refused, len(noted)) == (7, (), 7)


def test_an_answer_that_fails_now_and_then_is_told_with_its_seed(docker_bench: Workbench, make: Any) -> None:
    package = make(WEAK, tests=TESTS, reference=FLAKY)
    package = msgspec.structs.replace(package, lock=Lock(package.lock.tests, tuple(range(16))))
    found = steadiness(docker_bench, package, 16)
    assert 0 < len(found.refused) < 16
    assert "on seed" in found.refused[0]
    assert "test_values" in found.refused[0]
    console = Console(record=True, width=100)
    show(console, [found])
    assert f"16 judgings of accepted answers, {len(found.refused)} not accepted" in console.export_text()
