"""The story of a judging as events: the same whether it is told live or afterwards from its row."""

from typing import Any

import msgspec

from api.events import Event, make_event
from api.judging.models import Judging, Status
from grader.job import Judgement, TestResult

LAST_STEP = 1_000_000
_decoder = msgspec.json.Decoder(Judgement)


def read_judgement(row: Judging) -> Judgement | None:
    """The judgement in a row whose `judgement` column was loaded."""
    return _decoder.decode(row.judgement) if row.judgement else None


def public_test(test: TestResult) -> dict[str, Any]:
    """A test's result as its candidate may see it: output and exhibits of samples only."""
    told: dict[str, Any] = msgspec.to_builtins(test)
    if not test.sample:
        told.update(stdout="", exhibits=[])
    return told


def team_test(test: TestResult) -> dict[str, Any]:
    """A test's result as a team sees it that assesses the candidate: exhibits of every test, output of samples only."""
    return {**public_test(test), "exhibits": msgspec.to_builtins(test.exhibits)}


def queued(number: int, wait: dict[str, Any]) -> Event:
    """In the queue for the first time; `wait` tells position and expected wait."""
    return make_event("queued", (number, 0, 0), wait)


def waiting(wait: dict[str, Any]) -> Event:
    """The place in the queue has changed: a hint that is not part of the story."""
    return make_event("queued", None, wait)


def queued_again(number: int, attempt: int) -> Event:
    """Back in the queue: the attempt was lost through no fault of the candidate's. Its tests start anew."""
    return make_event("queued", (number, attempt, LAST_STEP - 1), {"again": True})


def judging(number: int, attempt: int) -> Event:
    """A node works on it now."""
    return make_event("judging", (number, attempt, 1), {"attempt": attempt})


def test_ended(number: int, attempt: int, progress: tuple[int, int, TestResult]) -> Event:
    """One test has ended: `progress` is how many have, how many there are, and its result."""
    done, total, test = progress
    data = {"done": done, "total": total, "test": public_test(test)}
    return make_event("test", (number, attempt, 1 + done), data)


def ended(row: Judging, judgement: Judgement | None) -> Event:
    """The final event: judged or cancelled."""
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


def whole(row: Judging) -> list[Event]:
    """Everything that happened to a finished judging."""
    judgement = read_judgement(row)
    tests = judgement.tests if judgement else ()
    story = [queued(row.number, {"position": None, "expected_wait_s": None, "reason": None})]
    if row.started_at is not None and (judgement or row.status == Status.CANCELLED):
        story.append(judging(row.number, row.attempt))
    story += [test_ended(row.number, row.attempt, (done, len(tests), test)) for done, test in enumerate(tests, start=1)]
    return [*story, ended(row, judgement)]
