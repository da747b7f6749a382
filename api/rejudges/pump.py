"""The pump: once a second it queues the next few submissions of every open rejudge. SQL is the truth, so a restart goes on."""

import asyncio
import contextlib

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.background import keep
from api.catalogue.service import Shelf
from api.db import Database
from api.judging.dispatcher import Dispatcher
from api.rejudges import own, service
from api.rejudges.models import OwnRejudge, Rejudge


class Pump:
    """Started and stopped by the app."""

    def __init__(self, db: Database, shelf: Shelf, dispatcher: Dispatcher) -> None:
        self._db, self._shelf, self._dispatcher = db, shelf, dispatcher
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(keep(self._run))

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._dispatcher.settings.poll_s)
            async with self._db.read() as session:
                opened = list(await session.scalars(select(Rejudge.id).where(Rejudge.state == "open")))
                trying = list(await session.scalars(select(OwnRejudge.id).where(OwnRejudge.state == own.TRYING)))
            for rejudge_id in opened:
                async with self._db.write() as session:
                    self._wake(await self._step(session, rejudge_id))
            for rejudge_id in trying:
                async with self._db.write() as session:
                    self._wake(await self._try(session, rejudge_id))

    def _wake(self, queued: int | None) -> None:
        if queued:
            self._dispatcher.wake()

    async def _step(self, session: AsyncSession, rejudge_id: str) -> int | None:
        row = await service.still_open(session, rejudge_id)
        if row is None:
            return None
        challenge = self._shelf.catalogue.by_slug.get(row.slug)
        if challenge is None:
            await service.end(session, row, "stopped", service.WITHDRAWN)
            return None
        queued = await service.step(session, row, challenge.package)
        if queued is None:
            await service.end(session, row, "done")
        return queued

    async def _try(self, session: AsyncSession, rejudge_id: str) -> int | None:
        # Read anew, and held: somebody may drop it at this moment.
        row = await own.still_trying(session, rejudge_id)
        if row is None:
            return None
        challenge = self._shelf.version(row.digest) if row.challenge_id else None
        if challenge is None:
            own.close(row, "dropped", own.GONE)
            return None
        queued = await service.step(session, row, challenge.package)
        if queued is None:
            await own.weigh(session, row)
            row.state = "ready"
        return queued
