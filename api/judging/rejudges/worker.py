"""Runs rejudges in the background: every `poll_s` seconds, it queues the next few submissions of each unfinished rejudge. The
state is in SQL, so rejudges continue after a restart.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.rejudges import service
from api.judging.rejudges.models import Rejudge
from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause


class Source(Protocol):
    """One kind of rejudge, for example of catalogue challenges or of a team's own challenges."""

    async def unfinished(self, session: AsyncSession) -> Sequence[str]:
        """Return the ids of the rejudges of this kind that are not finished. `step` is called for each of them."""

    async def step(self, session: AsyncSession, rejudge_id: str) -> int | None:
        """Queue the next few submissions of a rejudge. Returns how many were queued, or None if the rejudge has ended."""


class RejudgeWorker(SupervisedTask):
    """The background loop. Only the leader of the cluster runs it."""

    def __init__(self, db: Database, dispatcher: Dispatcher, sources: Sequence[Source]) -> None:
        super().__init__(self._run)
        self._db, self._dispatcher, self._sources = db, dispatcher, sources

    async def _run(self) -> None:
        while True:
            await pause(self._dispatcher.settings.poll_s)
            async with self._db.read() as session:
                unfinished = [(source, id_) for source in self._sources for id_ in await source.unfinished(session)]
            for source, rejudge_id in unfinished:
                async with self._db.write() as session:
                    queued = await source.step(session, rejudge_id)
                if queued:
                    self._dispatcher.wake()


class CatalogueRejudges:
    """Rejudges of catalogue challenges. `on_done` is called in the transaction that closes a finished rejudge."""

    def __init__(self, store: CatalogueStore, on_done: Callable[[AsyncSession, Rejudge], Awaitable[None]]) -> None:
        self._store, self._on_done = store, on_done

    async def unfinished(self, session: AsyncSession) -> Sequence[str]:
        """Return the ids of the open rejudges."""
        return list(await session.scalars(select(Rejudge.id).where(Rejudge.state == "open")))

    async def step(self, session: AsyncSession, rejudge_id: str) -> int | None:
        """Queue the next few submissions. If the challenge is no longer in the catalogue, the rejudge is stopped."""
        row = await service.find_open(session, rejudge_id)
        if row is None:
            return None
        challenge = self._store.catalogue.known(row.slug)
        if challenge is None:
            await service.end(session, row, "stopped", service.WITHDRAWN)
            return None
        queued = await service.step(session, row, challenge.package, self._store)
        if queued is None:
            await service.end(session, row, "done")
            await self._on_done(session, row)
        return queued
