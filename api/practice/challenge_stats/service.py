"""Computes figures about challenges from judgings and solves."""

import asyncio
import time
from typing import Literal

from sqlalchemy import Float, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import candidates
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import Database
from api.practice.challenge_stats.schemas import ChallengeStats, Comparison
from api.practice.discussions import service as discussions
from api.practice.leaderboards.models import Solve
from grader.contract.job import Kind, Verdict

# The figures of all challenges are read from all judgings, so they are computed at most once in this many seconds.
COMPUTED_S = 60.0
# An answer is compared with at most this many others, so that a popular challenge costs no more than a few milliseconds. With
# 1,000 of them, the share is exact to about three per cent.
COMPARED = 1000
# A share of fewer answers than this would say nothing.
LEAST_COMPARED = 5


class StatsCache:
    """The figures of all challenges. While one caller recomputes them, other callers get the previous ones."""

    def __init__(self) -> None:
        self._items: list[ChallengeStats] = []
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def items(self, db: Database) -> list[ChallengeStats]:
        """Return the figures of all challenges that were submitted to, by slug; at most `COMPUTED_S` old."""
        if time.monotonic() < self._until or (self._items and self._lock.locked()):
            return self._items
        async with self._lock:
            if time.monotonic() >= self._until:
                async with db.read() as session:
                    self._items = await challenge_stats(session)
                self._until = time.monotonic() + COMPUTED_S
        return self._items


async def challenge_stats(session: AsyncSession) -> list[ChallengeStats]:
    """Read the figures of all challenges that were submitted to, ordered by slug. A submission counts by its latest judging,
    and not at all while it is not judged or if the judge failed. Submissions of candidates do not count: they belong to the
    team, and their challenges can be reserved or a team's own.
    """
    people = select(Solve.slug, func.count()).group_by(Solve.slug)
    solvers = {row[0]: row[1] for row in await session.execute(people)}
    comments = {row[0]: row[1] for row in await session.execute(discussions.counts())}
    judged = (
        select(Judging.slug, func.count(), func.count().filter(Judging.verdict == Verdict.AC))
        .join(Submission, Submission.id == Judging.submission_id)
        .where(Submission.kind == Kind.SUBMIT, ~Judging.superseded)
        .where(Judging.verdict.is_not(None), Judging.verdict != Verdict.JE, ~candidates.owns(Judging.account_id))
        .group_by(Judging.slug)
        .order_by(Judging.slug)
    )
    return [
        ChallengeStats(
            slug=slug,
            solvers=solvers.get(slug, 0),
            submissions=submissions,
            accepted=accepted,
            comments=comments.get(slug, 0),
        )
        for slug, submissions, accepted in await session.execute(judged)
    ]


async def compare(session: AsyncSession, submission: Submission, row: Judging) -> Comparison:
    """Compare an accepted answer with the first accepted answers of other accounts, on the same kind of device."""
    solve = await session.get(Solve, (submission.account_id, submission.slug))
    earned = solve.points if solve and solve.submission_id == submission.id else 0
    reason: Literal["solved_before", "editorial_open"] | None = None
    if not earned:
        reason = "solved_before" if solve and solve.submission_id != submission.id else "editorial_open"
    others = (
        select(Judging.cpu_s, Judging.memory_mb)
        .join(Solve, Solve.submission_id == Judging.submission_id)
        .where(Solve.slug == submission.slug, Solve.account_id != submission.account_id)
        .where(Judging.device == row.device, Judging.verdict == Verdict.AC, ~Judging.superseded)
        .limit(COMPARED)
        .subquery()
    )
    counted = select(
        func.count(),
        func.count().filter(others.c.cpu_s > cast(row.cpu_s, Float)),
        func.count().filter(others.c.memory_mb > cast(row.memory_mb, Float)),
    ).select_from(others)
    compared, cpu, memory = (await session.execute(counted)).one()
    enough = compared >= LEAST_COMPARED
    return Comparison(
        compared=compared,
        beats_cpu=cpu / compared if enough and row.cpu_s is not None else None,
        beats_memory=memory / compared if enough and row.memory_mb is not None else None,
        earned=earned,
        reason=reason,
    )
