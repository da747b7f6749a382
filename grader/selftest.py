"""What a node is tried with before it is given jobs: one answer that must be accepted and one that must not.

A tiny package that no catalogue has. It goes the whole way of a job: a cell, the judge, the wire between them, torch.
"""

import hashlib
import uuid

from grader.job import Job, Judgement, Kind, Limits, Verdict
from grader.package import Answer, Entry, Info, Lock, Package, TestSpec

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
    lock=Lock((TestSpec("test_values_are_doubled", "Every value is doubled.", 1),), (1,)),
    editorial="",
    given="",
    probes="",
    answers=(Answer("right.py", Verdict.AC, RIGHT),),
)


def right(device: str) -> str:
    """The answer that must be accepted; one that is not given its tensors on this device fails."""
    return ON.format(device=device)


def job(source: str, device: str) -> Job:
    """A job of nobody's."""
    identifier, token = uuid.uuid4().hex, uuid.uuid4().hex
    return Job(identifier, token, Kind.SUBMIT, SLUG, PACKAGE.digest, source, owner=SLUG, device=device)


def complaint(right: Judgement, wrong: Judgement) -> str:
    """What is not as it must be; empty when this node may judge."""
    if right.verdict is not Verdict.AC:
        return f"a right answer got {right.verdict}: {_why(right)}"
    if wrong.verdict is not Verdict.WA:
        return f"a wrong answer got {wrong.verdict}: {_why(wrong)}"
    return ""


def _why(judgement: Judgement) -> str:
    said = [test.message for test in judgement.tests if test.message]
    return (judgement.message or "; ".join(said) or "without a reason")[:300]
