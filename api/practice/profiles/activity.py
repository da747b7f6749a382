"""Reads what an account has done from solves, submissions and quiz attempts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.judging.submissions.models import Submission
from api.kit.db.database import now
from api.practice.leaderboards.models import Solve
from api.practice.leaderboards.periods import span, week_of
from api.practice.leaderboards.scoring import POINTS
from api.practice.quizzes.models import QuizAttempt
from grader.contract.job import Kind

CALENDAR = timedelta(days=371)


@dataclass(frozen=True)
class Achievements:
    """What an account has achieved. `solves` contains its solves, earliest first. For each topic whose quiz the account has
    finished with full marks, `quizzes` contains the first such attempt; the earliest attempt comes first. `firsts` contains the
    slugs of the challenges that the account solved before all other accounts that are listed.
    """

    solves: Sequence[Solve]
    quizzes: Sequence[QuizAttempt]
    firsts: frozenset[str]


async def achievements_of(session: AsyncSession, account_id: str) -> Achievements:
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
    return Achievements(solves, list(quizzes.values()), await _firsts(session, account_id))


async def tried(session: AsyncSession, account_id: str) -> list[str]:
    """Return the slugs of the challenges for which the account has sent anything, even a run of the samples."""
    query = select(Submission.slug).where(Submission.account_id == account_id).distinct()
    return sorted(await session.scalars(query))


async def statuses(session: AsyncSession, account_id: str) -> dict[str, Literal["tried", "solved"]]:
    """Return the slugs of the challenges that the account has tried or solved, each with which of the two. All challenges that
    are not in the result are new to the account.
    """
    solved = await session.scalars(select(Solve.slug).where(Solve.account_id == account_id))
    return {**dict.fromkeys(await tried(session, account_id), "tried"), **dict.fromkeys(solved, "solved")}


async def latest(session: AsyncSession, account_id: str) -> Submission | None:
    """Return the account's last submission, or None."""
    query = select(Submission).where(Submission.account_id == account_id).order_by(Submission.id.desc())
    found: Submission | None = await session.scalar(query.limit(1))
    return found


async def active_days(session: AsyncSession, account_id: str) -> Counter[date]:
    """Return how many answers the account submitted plus how many quizzes it began on each day (UTC) of the last 53 weeks. Runs
    of the samples and of snippets do not count.
    """
    since = now() - CALENDAR
    sent = select(Submission.created_at).where(
        Submission.account_id == account_id, Submission.kind == Kind.SUBMIT, Submission.created_at >= since
    )
    begun = select(QuizAttempt.started_at).where(QuizAttempt.account_id == account_id, QuizAttempt.started_at >= since)
    moments = [*await session.scalars(sent), *await session.scalars(begun)]
    return Counter(day_of(each) for each in moments)


def day_of(moment: datetime) -> date:
    """Return the date of a moment in UTC."""
    return moment.astimezone(UTC).date()


def solved_this_week(moments: Iterable[datetime]) -> int:
    """Return how many of these moments are in the current week, which begins on Monday at 00:00 UTC."""
    begins_at, _ = span(week_of(now()))
    return sum(moment >= begins_at for moment in moments)


async def _firsts(session: AsyncSession, account_id: str) -> frozenset[str]:
    other = aliased(Solve)
    # Of two solves with the same time, the one whose submission has the smaller ID was first, because IDs sort by creation.
    sooner = (other.solved_at < Solve.solved_at) | (other.submission_id < Solve.submission_id)
    # The board's index is ordered by points before the time. With all points named, it finds the sooner solves of each.
    indexed = other.points.in_((0, *POINTS.values())), other.solved_at <= Solve.solved_at
    before = exists().where(other.slug == Solve.slug, other.shown, *indexed, sooner)
    return frozenset(
        await session.scalars(select(Solve.slug).where(Solve.account_id == account_id, Solve.shown, ~before))
    )
