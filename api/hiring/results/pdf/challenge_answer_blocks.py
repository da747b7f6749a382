"""Builds the part of a candidate's report about the answer to a challenge."""

import re
from collections.abc import Iterator, Sequence

from api.hiring.results.answers import JudgedAnswer
from api.hiring.results.pdf.block_formats import VERDICTS, Block, moment, plain, table
from api.judging.intake.schemas import SubmissionView, TestView

# How the node kept an answer apart from all others, by `Host.isolation`.
ISOLATION = {
    "namespaces": "It ran in an isolated environment that no other submission has used.",
    "container": "It ran in a container of its own.",
    "process": "It ran in a process of its own, without a container.",
}


def judged(answer: JudgedAnswer) -> Iterator[Block]:
    """Yield the answer that counts with the results of its tests, and say how a later answer did."""
    submission = answer.submission
    counts = submission.verdict not in (None, "JE")
    which = "The answer that counts" if counts else "The last answer"
    text = f"{which}, submitted {moment(submission.created_at)}: {_outcome(submission)}."
    if answer.later is not None:
        verdict = answer.later.verdict
        outcome = VERDICTS[verdict] if verdict else "no verdict"
        text += f" The last answer, submitted {moment(answer.later.sent_at)}, does not count: {outcome}."
    isolation = ISOLATION.get(submission.environment.get("isolation", ""), "")
    yield {"kind": "text", "text": text}
    if isolation:
        yield {"kind": "text", "text": isolation}
    if submission.tests:
        yield _results(submission.tests)
    yield {"kind": "code", "source": answer.source}


def _outcome(submission: SubmissionView) -> str:
    outcome = VERDICTS[submission.verdict] if submission.verdict else submission.status
    passed = sum(test.verdict == "AC" for test in submission.tests)
    return f"{outcome}, {passed} of {len(submission.tests)} tests passed" if submission.tests else outcome


def _results(tests: Sequence[TestView]) -> Block:
    """Return the table of test results. The titles of tests say what to look at, so only failed tests that ran have them."""
    hints = ["" if test.verdict == "AC" or _was_not_run(test) else plain(test.title) for test in tests]
    rows = [[_named(test), _result(test)] for test in tests]
    failed = [number for number, test in enumerate(tests) if test.verdict != "AC"]
    if any(hints):
        rows = [[*row, hint] for row, hint in zip(rows, hints, strict=True)]
        return {**table(["Test", "Result", "What to look at"], [38, 20, 42], rows, left=3), "marked": failed}
    return {**table(["Test", "Result"], [76, 24], rows, left=2), "marked": failed}


def _result(test: TestView) -> str:
    if test.verdict == "AC":
        return "Passed"
    return "Not run" if _was_not_run(test) else VERDICTS[test.verdict]


def _was_not_run(test: TestView) -> bool:
    # The grader begins the message of each test that did not run with these words.
    return test.message.startswith("not run")


def _named(test: TestView) -> str:
    """Return the name of the test function, written as words."""
    return re.sub(r"[\[\]_]+", " ", test.id.rpartition("::")[2].removeprefix("test_")).strip()
