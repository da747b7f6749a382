"""Converts rows to responses. The output of hidden tests and the seeds are never included."""

from typing import Any

import msgspec

from api.judging.intake.schemas import SubmissionCard, SubmissionView, Wait
from api.judging.submissions.history import public_test, read_judgement, team_test
from api.judging.submissions.models import Judging, Submission


def card(submission: Submission, row: Judging) -> SubmissionCard:
    return SubmissionCard(**_card(submission, row))


def view(submission: Submission, row: Judging, wait: Wait | None, *, for_team: bool = False) -> SubmissionView:
    """Return the view of a submission with its results. `wait` is its place in the queue, or None if it is not queued. With
    `for_team`, the view includes the exhibits (pictures that tests drew) of hidden tests, which only the assessing team may
    see.
    """
    judgement, shown = read_judgement(row), team_test if for_team else public_test
    more: dict[str, Any] = {"tests": [], "compile_error": None, "wall_s": None, "output": "", "output_truncated": False}
    if judgement is not None:
        more = {
            "tests": [shown(test) for test in judgement.tests],
            "compile_error": msgspec.to_builtins(judgement.compile_error),
            "wall_s": judgement.wall_s,
            "output": judgement.output,
            "output_truncated": judgement.output_truncated,
        }
    return SubmissionView.model_validate(
        {
            **_card(submission, row),
            **more,
            "digest": row.digest,
            "judging": row.number,
            "attempt": row.attempt,
            "message": row.message,
            "environment": judgement.environment if judgement else {},
            "queue": wait,
            "started_at": row.started_at,
            "ended_at": row.ended_at,
        }
    )


def _card(submission: Submission, row: Judging) -> dict[str, Any]:
    return {
        "id": submission.id,
        "slug": submission.slug,
        "kind": submission.kind,
        "device": submission.device,
        "status": row.status,
        "verdict": row.verdict,
        "score": row.score,
        "max_score": row.max_score,
        "cpu_s": row.cpu_s,
        "memory_mb": row.memory_mb,
        "created_at": submission.created_at,
    }
