"""What an account has done, read from the rows that judging and quizzes left."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.db import now
from api.quizzes.models import QuizAttempt
from api.standings.models import Solve
from api.submissions.models import Submission
from grader.job import Kind

CALENDAR = timedelta(days=371)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Deeds:
    """Solves, earliest first; quizzes with full marks, earliest first, one a topic; `firsts`: solved before anybody else."""

    solves: Sequence[Solve]
    quizzes: Sequence[QuizAttempt]
    firsts: frozenset[str]


async def deeds_of(session: AsyncSession, account_id: str) -> Deeds:
    """Everything that counts for a profile."""
    solves = list(
        await session.scalars(select(Solve).where(Solve.account_id == account_id).order_by(Solve.solved_at, Solve.slug))
    )
    full = select(QuizAttempt).where(
        QuizAttempt.account_id == account_id,
        QuizAttempt.ended_at.is_not(None),
        QuizAttempt.points == QuizAttempt.max_points,
    )
    quizzes: dict[str, QuizAttempt] = {}
    for attempt in await session.scalars(full.order_by(QuizAttempt.ended_at, QuizAttempt.id)):
        quizzes.setdefault(attempt.topic, attempt)
    return Deeds(solves, list(quizzes.values()), await _firsts(session, account_id))


async def tried(session: AsyncSession, account_id: str) -> list[str]:
    """Challenges for which something was sent, by slug."""
    query = select(Submission.slug).where(Submission.account_id == account_id).distinct()
    return sorted(await session.scalars(query))


async def statuses(session: AsyncSession, account_id: str) -> dict[str, Literal["tried", "solved"]]:
    """What an account has tried or solved, by slug; all else is new to it."""
    solved = await session.scalars(select(Solve.slug).where(Solve.account_id == account_id))
    return {**dict.fromkeys(await tried(session, account_id), "tried"), **dict.fromkeys(solved, "solved")}


async def latest(session: AsyncSession, account_id: str) -> Submission | None:
    """What was sent last."""
    query = select(Submission).where(Submission.account_id == account_id).order_by(Submission.id.desc())
    found: Submission | None = await session.scalar(query.limit(1))
    return found


async def active_days(session: AsyncSession, account_id: str) -> Counter[date]:
    """How much was submitted, and how many quizzes were begun, on each day (UTC) of the last 53 weeks."""
    since = now() - CALENDAR
    sent = select(Submission.created_at).where(
        Submission.account_id == account_id, Submission.kind == Kind.SUBMIT, Submission.created_at >= since
    )
    begun = select(QuizAttempt.started_at).where(QuizAttempt.account_id == account_id, QuizAttempt.started_at >= since)
    moments = [*await session.scalars(sent), *await session.scalars(begun)]
    return Counter(day_of(each) for each in moments)


def day_of(moment: datetime) -> date:
    """The day of a moment, UTC."""
    return moment.astimezone(UTC).date()


def streak(days: Iterable[date]) -> int:
    """Days in a row up to today; a day that is not over yet breaks nothing."""
    seen, day, count = set(days), day_of(now()), 0
    if day not in seen:
        day -= DAY
    while day in seen:
        day, count = day - DAY, count + 1
    return count


async def _firsts(session: AsyncSession, account_id: str) -> frozenset[str]:
    other = aliased(Solve)
    # Ids sort by creation: two at the same instant are one after the other all the same.
    sooner = (other.solved_at < Solve.solved_at) | (
        (other.solved_at == Solve.solved_at) & (other.submission_id < Solve.submission_id)
    )
    before = exists().where(other.slug == Solve.slug, other.shown, sooner)
    return frozenset(
        await session.scalars(select(Solve.slug).where(Solve.account_id == account_id, Solve.shown, ~before))
    )
