"""Checks the gate's rules for the texts of a package: the statement must name shapes and dtypes, and the title of every test
must be a sentence.
"""

from typing import Any

import msgspec
import pytest

from grader.content import package as packages
from grader.content.answers import Answer
from grader.content.authoring.statement import statement_findings
from grader.content.package import Lock
from grader.contract import job
from grader.contract.job import Judgement, Verdict
from grader.gate.claims import _slow, mismatch, reversed_tests
from grader.gate.trials.run import Trial, TrialResult


def complaints(make: Any, statement: str, title: str = "A sentence that is long enough.") -> list[str]:
    package = make(tests="test_a")
    lock = Lock((packages.TestSpec("test_a", title, 1),))
    return [
        f.text.partition(":")[0]
        for f in statement_findings(msgspec.structs.replace(package, statement=statement, lock=lock))
    ]


CLEAR = (
    "`x`: float32 `(B, T, d)`",
    "a float64 tensor of shape [n, 3]",
    r"$x \in \mathbb{R}^{n}$, any floating-point dtype",
    "an int64 tensor of one row (…, n)",
    "a float32 scalar",
    "a list of Python floats, all numbers",
)


@pytest.mark.parametrize("statement", CLEAR)
def test_a_clear_statement(make: Any, statement: str) -> None:
    assert complaints(make, statement) == []


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("`double(x, y)` of a float32 tensor", ["names no shape"]),
        ("a tensor `(n, m)`", ["names no dtype"]),
        ("Doubles.", ["names no dtype", "names no shape"]),
        ("Doubles.\n\n```python\nx = torch.ones((2, 3), dtype=float)\n```\n", ["names no dtype", "names no shape"]),
    ],
)
def test_an_unclear_statement(make: Any, statement: str, missing: list[str]) -> None:
    assert complaints(make, statement) == missing


def test_a_test_without_a_sentence(make: Any) -> None:
    clear = "a float32 tensor `(n, m)`"
    assert complaints(make, clear, "test_a") == ["test_a has no docstring"]
    assert complaints(make, clear, "Short.") == ["test_a"]


def test_reversed_tests_are_the_same_tests(make: Any) -> None:
    package = make(tests="test_a test_b test_c")
    back = reversed_tests(package)
    assert [test.id for test in back.lock.tests] == ["test_c", "test_b", "test_a"]
    assert back.digest == package.digest


def judgement(verdict: Verdict, failing: str) -> Judgement:
    tests = tuple(
        job.TestResult(n, n, 1, False, False, verdict if n == failing else Verdict.AC, 0.0)
        for n in ("test_a", "test_b")
    )
    return Judgement("j", "t", verdict, 0, 2, tests, 1, "d", 0.1, 0.1, 1.0)


@pytest.mark.parametrize(("used", "slow"), [((1.0, 0.31, 0.83), False), ((1.0, 0.9, 0.83), True), ((0.75,), False)])
def test_time_that_a_busy_machine_adds_is_not_the_answers(make: Any, used: tuple[float, ...], slow: bool) -> None:
    package = make(tests="test_a test_b")
    limits = msgspec.structs.replace(package.info.limits, cpu_s=3.0)
    package = msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))
    answer = package.answers[0]
    ended = judgement(Verdict.AC, "")
    ends = [
        TrialResult(Trial(answer.name, "", 1, package), msgspec.structs.replace(ended, cpu_s=cpu_s)) for cpu_s in used
    ]
    assert bool(list(_slow(package, ends, answer))) == slow


def test_a_wrong_answer_must_be_caught_by_the_test_that_it_names() -> None:
    answer = Answer("wrong.py", Verdict.WA, "", "test_a")
    assert list(mismatch(answer, judgement(Verdict.WA, "test_a"))) == []
    assert [f.text for f in mismatch(answer, judgement(Verdict.WA, "test_b"))] == ["is not caught by test_a on seed 1"]
    assert "should be WA, is RE" in next(mismatch(answer, judgement(Verdict.RE, "test_a"))).text
