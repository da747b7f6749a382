"""Connects the rejudges of teams' own challenges to the background worker that runs all rejudges
(api/judging/rejudges/worker.py).
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.authoring.rejudges import service as own
from api.judging.rejudges import service
from api.judging.rejudges.models import OwnRejudge


class TeamRejudges:
    """Queues the answers that rejudges of teams' own challenges must judge again. When all answers of a rejudge are judged, the
    team decides whether the new results count.
    """

    def __init__(self, store: CatalogueStore) -> None:
        self._store = store

    async def unfinished(self, session: AsyncSession) -> Sequence[str]:
        """Return the IDs of rejudges in progress."""
        return list(await session.scalars(select(OwnRejudge.id).where(OwnRejudge.state == own.TRYING)))

    async def step(self, session: AsyncSession, rejudge_id: str) -> int | None:
        """Queue the next few answers of a rejudge. Returns the number of queued answers, or None if nothing is left to do
        because all answers are judged or the rejudge has ended. If the challenge or its version no longer exists, the rejudge
        is dropped.
        """
        # Read the row again with a lock, because a member may be dropping the rejudge at this moment.
        row = await own.active_rejudge(session, rejudge_id)
        if row is None:
            return None
        challenge = self._store.version(row.digest) if row.challenge_id else None
        if challenge is None:
            own.close(row, "dropped", own.GONE)
            return None
        queued = await service.step(session, row, challenge.package, self._store)
        if queued is None:
            await own.record_outcomes(session, row)
            row.state = "ready"
        return queued
