"""Checks answers that write to their arguments. They must fail, unless challenge.toml allows writing with `mutates`."""

from pathlib import Path

import msgspec
import pytest

from grader.content.package import Lock, Package, load
from grader.contract.job import Verdict
from grader.gate.lock import collected
from grader.judging.workbench import Workbench, a_job

TOML = """
title = "In place"
summary = "An entry that may or may not write to its argument."
section = "kit"
difficulty = "easy"
topics = ["kit"]
minutes = 1
why = "A test of the kit."
skill = "None."
hints = ["none"]

[[entry]]
name = "double"
kind = "function"
signature = "double(x)"
{mutates}
"""
TESTS = '''
import torch
from grader.testing import assert_close, assert_not_mutated


def test_expected_value_is_computed_after_the_call(solution, reference, rng):
    """Doubles its argument."""
    x = rng.randn(3)
    assert_close(solution.double(x), reference.double(x))


def test_argument_afterwards(solution, rng):
    """Doubles its argument in place."""
    x = rng.randn(3)
    expected = 2 * x
    solution.double(x)
    assert_close(x, expected)


def test_a_probe_works_on_copies(probes, rng):
    """Probes cannot reach the test's own tensors."""
    x = rng.randn(3)
    before = x.clone()
    assert_close(probes.spoil(x), torch.zeros(3))
    assert_close(x, before)


def test_not_mutated(solution, rng):
    """Leaves its argument alone."""
    assert_not_mutated(solution.double, rng.randn(3))
'''
PURE = "def double(x):\n    return 2 * x\n"
IN_PLACE = "def double(x):\n    return x.mul_(2)\n"
# Replaces the memory of the test's tensor, instead of writing to it. torch does not count this in the tensor's version counter.
REPLACES = "def double(x):\n    x.data = x.data * 2\n    return x\n"
# Sets its input to zeros and returns zeros. If a test computed the expected value from the input after the call, this answer
# would pass.
SPOILS = "import torch\ndef double(x):\n    x.data.zero_()\n    return torch.zeros_like(x)\n"


@pytest.fixture(params=["", "mutates = true"], ids=["pure", "mutates"])
def package(request: pytest.FixtureRequest, tmp_path: Path, process_bench: Workbench) -> Package:
    folder = tmp_path / "kit" / "in-place"
    (folder / "submissions" / "accepted").mkdir(parents=True)
    (folder / "challenge.toml").write_text(TOML.format(mutates=request.param))
    (folder / "tests.py").write_text(TESTS)
    (folder / "probes.py").write_text("def spoil(solution, x):\n    return x.zero_()\n")
    for name in ("statement.md", "starter.py", "editorial.md"):
        (folder / name).write_text("# nothing\n")
    (folder / "submissions" / "accepted" / "a.py").write_text(PURE)
    package = load(folder, locked=False)
    return msgspec.structs.replace(package, lock=Lock(collected(process_bench, package)))


def failed(bench: Workbench, package: Package, source: str) -> dict[str, str]:
    judgement = bench.judge(a_job(package, source), package)
    return {test.id: test.message for test in judgement.tests if test.verdict is not Verdict.AC}


@pytest.mark.parametrize("source", [IN_PLACE, REPLACES], ids=["in-place", "other-data"])
def test_writing_is_refused_or_written_back(process_bench: Workbench, package: Package, source: str) -> None:
    may = package.info.entry[0].mutates
    found = failed(process_bench, package, source)
    if may:
        # One test computes the expected value with the reference after the call. The reference then gets the argument that the
        # answer has already doubled, so the test fails. If an entry declares `mutates`, tests have to copy the argument first.
        assert set(found) == {"test_expected_value_is_computed_after_the_call", "test_not_mutated"}
    else:
        assert "test_expected_value_is_computed_after_the_call" in found
        assert "test_argument_afterwards" in found
        assert "changed in place" in found["test_expected_value_is_computed_after_the_call"]
    assert "changed in place" in found["test_not_mutated"]


def test_a_pure_answer_passes_what_it_should(process_bench: Workbench, package: Package) -> None:
    assert set(failed(process_bench, package, PURE)) == {"test_argument_afterwards"}


def test_spoiling_the_input_does_not_spoil_the_expectation(process_bench: Workbench, package: Package) -> None:
    if not package.info.entry[0].mutates:
        assert "test_expected_value_is_computed_after_the_call" in failed(process_bench, package, SPOILS)
