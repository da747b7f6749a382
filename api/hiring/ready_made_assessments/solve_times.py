"""Computes how long candidates of all teams took to solve challenges and quizzes. The times are shown only as medians of several
candidates, so nobody learns about a single one.
"""

import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.time_spent import spent_on
from api.hiring.taking import scores
from api.kit.db.database import Database

# Participations that are read. The newest are read.
MOST = 1000
# A median of fewer candidates is not used.
LEAST_PEOPLE = 5
# The times are read from many rows, so they are computed at most once in this many seconds.
COMPUTED_S = 600.0
Times = Mapping[tuple[str, str], int]


class SolveTimes:
    """The median times in seconds, by kind and name. While one caller recomputes them, other callers wait."""

    def __init__(self) -> None:
        self._times: Times = {}
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def read(self, db: Database) -> Times:
        """Return the times, at most `COMPUTED_S` old."""
        async with self._lock:
            if time.monotonic() >= self._until:
                async with db.read() as session:
                    self._times = await solve_times(session)
                self._until = time.monotonic() + COMPUTED_S
        return self._times


async def solve_times(session: AsyncSession) -> Times:
    """Read the median time of each item that at least `LEAST_PEOPLE` candidates have solved. Test drives do not count."""
    ended = select(Participation.id, Participation.account_id).where(
        Participation.finished_at.is_not(None), ~Participation.is_test
    )
    rows = (await session.execute(ended.order_by(Participation.id.desc()).limit(MOST))).all()
    accounts = {row.id: row.account_id for row in rows}
    items: dict[str, list[ParticipationItem]] = {account: [] for account in accounts.values()}
    for item in await session.scalars(
        select(ParticipationItem).where(ParticipationItem.participation_id.in_(accounts))
    ):
        items[accounts[item.participation_id]].append(item)
    found = await scores.scored_of(session, items)
    spent = await spent_on(session, list(accounts), {})
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    for participation_id, account_id in accounts.items():
        for one in found[account_id]:
            seconds = spent.get((participation_id, one.position))
            if seconds and one.score >= one.points:
                times[one.kind, one.name].append(seconds)
    return {key: round(statistics.median(each)) for key, each in times.items() if len(each) >= LEAST_PEOPLE}
