"""Builds the events of a judging, either while it runs or later from its row in SQL. The events are equal in both cases, so
that a client can resume an interrupted event stream.
"""

from typing import Any

import msgspec

from api.judging.submissions.events import Event, make_event
from api.judging.submissions.models import Judging, Status
from grader.contract.job import Judgement, TestResult

LAST_STEP = 1_000_000
_decoder = msgspec.json.Decoder(Judgement)


def read_judgement(row: Judging) -> Judgement | None:
    """Return the judgement of a row, or None if it has none. The column `judgement` of the row must have been loaded."""
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
    """Return a test's result as a team that assesses a candidate may see it. Exhibits (pictures that the test drew) are
    included for all tests, but output only for sample tests.
    """
    return {**public_test(test), "exhibits": msgspec.to_builtins(test.exhibits)}


def queued(number: int, wait: dict[str, Any]) -> Event:
    """Build the event for a submission that entered the queue. `wait` contains the fields of the API's `Wait`."""
    return make_event("queued", (number, 0, 0), wait)


def waiting(wait: dict[str, Any]) -> Event:
    """Build the event for a new place in the queue. It has no key, because it is only a temporary hint."""
    return make_event("queued", None, wait)


def queued_again(number: int, attempt: int) -> Event:
    """Build the event for a submission that returned to the queue because this attempt was lost, for example because the node
    crashed. The next attempt runs all tests again.
    """
    return make_event("queued", (number, attempt, LAST_STEP - 1), {"again": True})


def judging(number: int, attempt: int) -> Event:
    """Build the event for the start of an attempt on a node."""
    return make_event("judging", (number, attempt, 1), {"attempt": attempt})


def test_ended(number: int, attempt: int, progress: tuple[int, int, TestResult]) -> Event:
    """Build the event for one finished test. `progress` contains how many tests are finished, how many there are in total, and
    the result of this test.
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
