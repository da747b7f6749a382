"""Takes letters from the outbox, one after the other, and tries again later what could not be delivered."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.background import Keeper
from api.db import Database, now
from api.letters.carriers import Undeliverable, carrier_of
from api.letters.message import Content
from api.letters.models import IS_QUEUED, Letter, Status
from api.metrics import counters
from api.settings import Settings

log = structlog.get_logger()
# Says what a letter says; None: there is nobody to write to.
Writer = Callable[[AsyncSession, Letter], Awaitable[Content | None]]
AT_ONCE = 20
# Each pause is so many times the one before.
SLOWER = 4


class Postman(Keeper):
    """The one who sends. A letter is marked before it is handed over: after a crash it may come twice, never not at all."""

    def __init__(self, settings: Settings, db: Database, write: Writer) -> None:
        super().__init__(self._round)
        self._settings, self._db, self._write = settings, db, write
        self._carry = carrier_of(settings)

    async def _round(self) -> None:
        while True:
            due = select(Letter.id).where(IS_QUEUED, Letter.next_at <= now())
            async with self._db.read() as session:
                ids = list(await session.scalars(due.order_by(Letter.next_at).limit(AT_ONCE)))
            for letter_id in ids:
                await self._deliver(letter_id)
            await asyncio.sleep(0 if len(ids) == AT_ONCE else self._settings.poll_s)

    async def _deliver(self, letter_id: str) -> None:
        async with self._db.write() as session:
            due = select(Letter).where(Letter.id == letter_id, IS_QUEUED, Letter.next_at <= now())
            letter: Letter | None = await session.scalar(due.with_for_update(skip_locked=True))
            if letter is None:
                return
            content = await self._write(session, letter)
            if content is None:
                await session.delete(letter)
                return
            letter.attempts += 1
            pause_s = self._settings.letter_retry_s * SLOWER ** (letter.attempts - 1)
            letter.next_at = now() + timedelta(seconds=pause_s)
        try:
            await self._carry(content, letter.address)
        except Exception as error:
            await self._not_sent(letter, error)
            return
        await self._end(letter_id, Status.SENT, "")

    async def _not_sent(self, letter: Letter, error: Exception) -> None:
        """The log names the letter, not its address: that is the account's affair."""
        last = isinstance(error, Undeliverable) or letter.attempts >= self._settings.letter_attempts
        told = f"{type(error).__name__}: {error}" if isinstance(error, Undeliverable) else type(error).__name__
        log.warning("letter_not_sent", letter=letter.id, attempt=letter.attempts, reason=told, last=last)
        if last:
            await self._end(letter.id, Status.FAILED, told[:200])

    async def _end(self, letter_id: str, status: Status, error: str) -> None:
        values = {"status": status, "error": error, "ended_at": now(), "data": "{}"}
        async with self._db.write() as session:
            await session.execute(update(Letter).where(Letter.id == letter_id).values(values))
        counters.LETTERS.labels(str(status)).inc()
