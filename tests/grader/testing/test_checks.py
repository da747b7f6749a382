"""Tests `check` and the marks of the kit with which authors write hidden tests (grader.testing). Also tests that importing the
kit imports no packages except the grader, torch and pytest.
"""

import subprocess
import sys

import pytest
import torch

from grader.testing import CheckFailed, attested, check, points, sample


def test_a_failed_check_says_its_sentence_only() -> None:
    with pytest.raises(CheckFailed) as caught:
        check(False, "one is not above two")
    assert str(caught.value) == "one is not above two"


def test_a_check_that_holds_is_silent() -> None:
    check(True, "never said")


@pytest.mark.parametrize("condition", [1, "yes", torch.tensor(True), None])
def test_only_bools_can_be_checked(condition: object) -> None:
    with pytest.raises(CheckFailed) as caught:
        check(condition, "one is not above two")
    kind = type(condition).__name__
    said = f"one is not above two (compared with what the answer returned, this gives a {kind}, not True or False)"
    assert str(caught.value) == said


def test_marks_carry_their_names_and_points() -> None:
    assert [mark.name for mark in (sample, attested, points(3))] == ["sample", "attested", "points"]
    assert points(3).args == (3,)


@pytest.mark.parametrize("n", [0, -1, 101, 1.5, True, "3"])
def test_points_out_of_range_are_refused(n: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        points(n)  # type: ignore[arg-type]


def test_importing_the_kit_brings_nothing_heavy_with_it() -> None:
    program = (
        "import torch, pytest, sys; before = set(sys.modules); import grader.testing;"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names);"
        "sys.exit(0 if new == {'grader'} else str(new))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
