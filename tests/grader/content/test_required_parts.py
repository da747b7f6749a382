"""Tests what a team sees when it saves a challenge: syntax errors with their lines, and which parts it has too few of."""

import json
from pathlib import Path

import pytest

from grader.content.answers import Answer
from grader.content.authoring import author_files
from grader.content.required_parts import CountedTests, check_saved, count_tests, missing_parts, syntax_findings
from grader.contract.job import Verdict

CHALLENGES = Path(__file__).parents[3] / "challenges"
TESTS = """
CASES = [1, 2, 3]
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["a", "b"])

@sample
def test_one(solution): ...

@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("case", CASES)
def test_two(solution, dtype, case): ...

@sample
@pytest.mark.parametrize("n", (1, 2))
def test_three(solution, n): ...

def helper(): ...
"""


def test_a_syntax_error_names_the_file_and_the_line() -> None:
    files = {
        "tests.py": "x = 1\ndef test_a(:\n",
        "starter.py": "pass\n",
        "submissions/ce/a.py": "def (",
        "statement.md": "(",
    }
    (finding,) = syntax_findings(files)
    assert (finding.where, finding.text) == ("tests.py, line 2", "is not valid Python: invalid syntax")


def test_a_syntax_error_is_the_first_problem_and_blocks_the_gate() -> None:
    files = {
        **author_files.scaffold("small", "function", "write"),
        "submissions/wa/a.py": "# caught by: x\nreturn return\n",
    }
    assert check_saved("small", files).blocking[0].where == "submissions/wa/a.py, line 2"


def test_tests_are_counted_without_running_them() -> None:
    assert count_tests(TESTS) == CountedTests(tests=9, samples=3)
    for unknown in (
        "@pytest.mark.parametrize('n', range(4))\ndef test_a(n): ...\n",
        "@pytest.mark.parametrize('n', [*MORE])\ndef test_a(n): ...\n",
        "@made_elsewhere\ndef test_a(): ...\n",
        "class TestAll:\n    def test_a(self): ...\n",
        "def (",
    ):
        assert count_tests(unknown) is None, unknown


def test_the_count_agrees_with_what_the_gate_collected() -> None:
    known = 0
    for path in sorted(CHALLENGES.glob("*/*/tests.py")):
        counted = count_tests(path.read_text())
        if counted is not None:
            known += 1
            lock = json.loads(path.with_name("tests.lock").read_text())["tests"]
            assert counted == (len(lock), sum(test["sample"] for test in lock)), path
    assert known > 50


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (CountedTests(2, 3), ["has 2 tests, at least 12 are needed"]),
        (CountedTests(12, 1), ["has 1 samples, at least 3 are needed"]),
        (CountedTests(12, 3), []),
        (None, []),
    ],
)
def test_missing_parts_are_counted(counted: CountedTests | None, said: list[str]) -> None:
    enough = [Answer("a.py", Verdict.AC, ""), Answer("b.py", Verdict.AC, "")]
    enough += [Answer(f"w{number}.py", Verdict.WA, "") for number in range(6)]
    assert [finding.text for finding in missing_parts("here", counted, enough, 1)] == said
    assert [finding.text for finding in missing_parts("here", CountedTests(12, 3), enough[1:7], 0)] == [
        "has 1 accepted answers, at least 2 are needed",
        "has 5 wrong answers, at least 6 are needed",
        "has 0 hints, at least 1 are needed",
    ]
