"""Builds the events of a judging. An event that was sent live and the same event when it is built again later, from the row in
SQL, are equal.
"""

from typing import Any

import msgspec

from api.judging.submissions.events import Event, make_event
from api.judging.submissions.models import Judging, Status
from grader.contract.job import Judgement, TestResult

LAST_STEP = 1_000_000
_decoder = msgspec.json.Decoder(Judgement)


def read_judgement(row: Judging) -> Judgement | None:
    """Return the judgement of a row, whose `judgement` column must have been loaded."""
    return _decoder.decode(row.judgement.encode()) if row.judgement else None


def public_test(test: TestResult) -> dict[str, Any]:
    """Return a test's result as the submitter may see it. Output and exhibits (pictures that the test drew) are included only
    for sample tests.
    """
    fields: dict[str, Any] = msgspec.to_builtins(test)
    if not test.sample:
        fields.update(stdout="", exhibits=[])
    return fields


def team_test(test: TestResult) -> dict[str, Any]:
    """Return a test's result as the assessing team may see it. Exhibits (pictures that the test drew) are included for every
    test, output only for sample tests.
    """
    return {**public_test(test), "exhibits": msgspec.to_builtins(test.exhibits)}


def queued(number: int, wait: dict[str, Any]) -> Event:
    """Build the event for a submission that entered the queue. `wait` contains its position and expected wait."""
    return make_event("queued", (number, 0, 0), wait)


def waiting(wait: dict[str, Any]) -> Event:
    """Build the event for a change of the place in the queue. It is a temporary hint, which is not stored."""
    return make_event("queued", None, wait)


def queued_again(number: int, attempt: int) -> Event:
    """Build the event for a submission that returned to the queue because its attempt was lost. The submitted code did not
    cause the loss. All tests will run again.
    """
    return make_event("queued", (number, attempt, LAST_STEP - 1), {"again": True})


def judging(number: int, attempt: int) -> Event:
    """Build the event for the start of an attempt on a node."""
    return make_event("judging", (number, attempt, 1), {"attempt": attempt})


def test_ended(number: int, attempt: int, progress: tuple[int, int, TestResult]) -> Event:
    """Build the event for one finished test. `progress` contains the number of finished tests, their total, and this test's
    result.
    """
    done, total, test = progress
    data = {"done": done, "total": total, "test": public_test(test)}
    return make_event("test", (number, attempt, 1 + done), data)


def ended(row: Judging, judgement: Judgement | None) -> Event:
    """Build the final event of a submission that was judged or cancelled."""
    data = {
        "status": row.status,
        "verdict": row.verdict,
        "score": row.score,
        "max_score": row.max_score,
        "message": row.message,
        "cpu_s": row.cpu_s,
        "memory_mb": row.memory_mb,
        "compile_error": msgspec.to_builtins(judgement.compile_error) if judgement else None,
        "output": judgement.output if judgement else "",
        "output_truncated": judgement.output_truncated if judgement else False,
    }
    return make_event(str(row.status), (row.number, row.attempt, LAST_STEP), data)


def all_events(row: Judging) -> list[Event]:
    """Build all events of a finished judging."""
    judgement = read_judgement(row)
    tests = judgement.tests if judgement else ()
    events = [queued(row.number, {"position": None, "expected_wait_s": None, "reason": None})]
    if row.started_at is not None and (judgement or row.status == Status.CANCELLED):
        events.append(judging(row.number, row.attempt))
    events += [
        test_ended(row.number, row.attempt, (done, len(tests), test)) for done, test in enumerate(tests, start=1)
    ]
    return [*events, ended(row, judgement)]
