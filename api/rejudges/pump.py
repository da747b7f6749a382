"""The pump: once a second it queues the next few submissions of every open rejudge. SQL is the truth, so a restart goes on."""

import asyncio
import contextlib

from sqlalchemy import select

from api.background import keep
from api.catalogue.service import Shelf
from api.db import Database
from api.judging.dispatcher import Dispatcher
from api.rejudges import service
from api.rejudges.models import Rejudge


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
                opened = list(await session.scalars(select(Rejudge).where(Rejudge.state == "open")))
            for row in opened:
                await self._step(row)

    async def _step(self, row: Rejudge) -> None:
        challenge = self._shelf.catalogue.by_slug.get(row.slug)
        async with self._db.write() as session:
            queued = await service.step(session, row, challenge.package if challenge else None)
        if queued:
            self._dispatcher.wake()
