"""Counts how many inputs an account may still compare, and decides which challenges accept them."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.intake.quota import ChallengeLimit
from api.judging.submissions.models import Submission
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.kit.ids import first_id
from grader.content.own_input.offer import example_calls_of
from grader.content.package import Package
from grader.contract.job import Kind


class NoOwnInput(ApiError):
    """The challenge has no function or module that takes plain values and tensors, so it cannot be called with an own input."""

    status, code = 422, "no_own_input"


def require_offered(package: Package) -> None:
    """Raise `NoOwnInput` if the challenge has nothing that can be called with an own input."""
    if not example_calls_of(package):
        raise NoOwnInput(
            "This challenge cannot be run on your own input: no sample test calls one of its functions or "
            "classes with plain values and tensors alone. Run a snippet or the samples instead."
        )


async def left(session: AsyncSession, account_id: str, slug: str, limit: ChallengeLimit) -> tuple[int, datetime | None]:
    """Return how many inputs the account may still compare for a challenge, and when the next one is possible if none."""
    made = (
        select(Submission.created_at)
        .where(Submission.account_id == account_id, Submission.slug == slug, Submission.kind == Kind.COMPARE)
        .where(Submission.id > first_id(now() - limit.span))
        .order_by(Submission.id.desc())
        .limit(limit.number)
    )
    times = list(await session.scalars(made))
    free = limit.number - len(times)
    return free, None if free else limit.until(times[-1])
