"""From rows to what is shown: hidden tests keep their output, and seeds are never shown."""

from typing import Any

import msgspec

from api.judging.models import Judging
from api.judging.story import public_test, read_judgement, team_test
from api.submissions.models import Submission
from api.submissions.schemas import SubmissionCard, SubmissionView, Wait


def card(submission: Submission, row: Judging) -> SubmissionCard:
    """A submission in a list."""
    return SubmissionCard(**_card(submission, row))


def view(submission: Submission, row: Judging, wait: Wait | None, *, for_team: bool = False) -> SubmissionView:
    """A submission with its results; `wait` while it is queued. A team sees exhibits of hidden tests too."""
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
