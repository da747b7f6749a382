"""Checks the gate's search for flaky tests: accepted answers are judged many times, and each rejection is counted and reported
with its seed.
"""

from typing import Any

import pytest
from rich.console import Console

from grader.gate.flakes import count_flakes, show
from grader.judging.workbench import Workbench
from tests.grader.gate.conftest import REFERENCE
from tests.grader.gate.test_attack import NARROW, WEAK

pytestmark = pytest.mark.docker
TESTS = "test_values test_errors"
# This answer gives a wrong result if the first element of `x` is 0.3 or more. That is the case for about three seeds in eight.
FLAKY = REFERENCE.replace("    y = x + x\n", "    y = x + x if float(x.flatten()[0]) < 0.3 else x\n")


def test_steady_answers_are_accepted_each_time(docker_bench: Workbench, make: Any) -> None:
    noted: list[int] = []
    found = count_flakes(docker_bench, make(WEAK, tests=TESTS), 7, lambda: noted.append(1))
    assert (found.judgings, found.refused, len(noted)) == (7, (), 7)


def test_an_answer_that_fails_now_and_then_is_told_with_its_seed(docker_bench: Workbench, make: Any) -> None:
    package = make(WEAK, tests=TESTS, reference=FLAKY)
    found = count_flakes(docker_bench, package, 40)
    assert 0 < len(found.refused) < 40
    assert "test_values" in found.refused[0]
    console = Console(record=True, width=100)
    show(console, [found])
    told = console.export_text()
    assert f"40 judgings of accepted answers, {len(found.refused)} not accepted" in told
    assert "--seed" in told
    seeds = [int(line.partition(" on seed ")[2].partition(":")[0]) for line in found.refused]
    assert len(set(seeds)) == len(seeds), "each judging has a seed of its own"
    again = count_flakes(docker_bench, package, 2, seed=seeds[0])
    assert again.refused == (found.refused[0],) * 2


def test_a_share_of_each_tolerance_finds_a_refusal_that_is_near(docker_bench: Workbench, make: Any) -> None:
    package = make(NARROW, tests="test_values")
    assert count_flakes(docker_bench, package, 2).refused == ()
    assert len(count_flakes(docker_bench, package, 2, tolerance_share=1 / 3).refused) == 2
