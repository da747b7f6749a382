"""Measures the first places of a scored challenge once more when its week has ended, so that the order at the end of a week rests
on measurements from more than one day.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.kit.db.database import Database, hold, now
from api.kit.supervised_task import SupervisedTask, pause
from api.practice.leaderboards.periods import span, week_of
from api.practice.measurements import entries, queueing
from api.practice.measurements.models import SpeedBoard
from api.practice.weekly.models import WeeklyChallenge

EVERY_S = 60.0


class FinalMeasurements(SupervisedTask):
    """Queues the measurements. Several processes may do this at the same time."""

    def __init__(self, db: Database, store: CatalogueStore) -> None:
        super().__init__(self._round)
        self._db, self._store = db, store

    async def measure_first_places(self) -> None:
        """Queue one more measurement for each of the first places of last week's scored challenge, unless that has happened."""
        ended = span(week_of(now()))[0]
        async with self._db.read() as session:
            board = await self._board(session, ended)
            if board is None or not await entries.first_places(session, board.id, not_measured_since=ended):
                return
        async with self._db.write() as session:
            await hold(session, f"speed board {board.id}")
            for answer in await entries.first_places(session, board.id, not_measured_since=ended):
                entries.ask_again(session, answer)

    async def _board(self, session: AsyncSession, ended: datetime) -> SpeedBoard | None:
        week = week_of(ended - timedelta(days=1))
        query = select(WeeklyChallenge.slug).where(WeeklyChallenge.week == week, WeeklyChallenge.kind == "scored")
        slug = await session.scalar(query)
        plan = queueing.plans_of(self._store.catalogue).get(slug or "")
        return await queueing.current_board(session, slug, plan) if slug and plan else None

    async def _round(self) -> None:
        await self.measure_first_places()
        await pause(EVERY_S)
