"""Defines the self-test that a node must pass before it gets jobs: the node must accept a right answer and reject a wrong
answer.

The self-test's package is tiny and not part of the catalogue. The test uses everything that a job uses: a cell, the judge, the
connection between them, and torch.
"""

import hashlib
import uuid

from grader.content.answers import Answer
from grader.content.package import Entry, Info, Lock, Package, TestSpec
from grader.contract.job import Job, Judgement, Kind, Limits, Verdict

SLUG = "self-test"
ON = """def double(x):
    if x.device.type != "{device}":
        raise RuntimeError(f"it was given a tensor on {{x.device}}")
    return x + x
"""
WRONG = "def double(x):\n    return x\n"
RIGHT = ON.format(device="cpu")
_TESTS = '''"""Whether this node can tell right from wrong."""

import torch

from grader.testing import assert_close


def test_values_are_doubled(solution):
    """Every value is doubled."""
    x = torch.arange(6.0).reshape(2, 3)
    assert_close(solution.double(x), 2 * x)
'''
_INFO = Info(
    title="Self-test",
    summary="Whether a node can judge",
    section="node",
    difficulty="easy",
    topics=(),
    minutes=1,
    why="",
    skill="",
    hints=(),
    entry=(Entry("double", "function", "double(x)"),),
    limits=Limits(cpu_s=2.0),
)
PACKAGE = Package(
    slug=SLUG,
    digest=hashlib.sha256(_TESTS.encode()).hexdigest(),
    info=_INFO,
    statement="",
    starter="",
    tests_source=_TESTS,
    lock=Lock((TestSpec("test_values_are_doubled", "Every value is doubled.", 1),)),
    editorial="",
    given="",
    probes="",
    answers=(Answer("right.py", Verdict.AC, RIGHT),),
)


def right(device: str) -> str:
    """Return the answer that the node must accept. The answer raises an error if its input is not on this device."""
    return ON.format(device=device)


def job(source: str, device: str) -> Job:
    """Create a job that judges `source` with the self-test's package."""
    identifier, token = uuid.uuid4().hex, uuid.uuid4().hex
    return Job(identifier, token, Kind.SUBMIT, SLUG, PACKAGE.digest, source, owner=SLUG, seed=0, device=device)


def complaint(right: Judgement, wrong: Judgement) -> str:
    """Return what is wrong with the two judgements, or an empty string if both are as expected."""
    if right.verdict is not Verdict.AC:
        return f"a right answer got {right.verdict}: {_why(right)}"
    if wrong.verdict is not Verdict.WA:
        return f"a wrong answer got {wrong.verdict}: {_why(wrong)}"
    return ""


def _why(judgement: Judgement) -> str:
    said = [test.message for test in judgement.tests if test.message]
    return (judgement.message or "; ".join(said) or "without a reason")[:300]
