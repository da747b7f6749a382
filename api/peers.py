"""The other processes of this service on the same PostgreSQL: who lives, who does what one alone shall do, what is said to all.

Who lives holds an advisory lock; another one makes its holder the leader. Both end with the connection, so nobody has to
notice that a process died. What is said travels by LISTEN/NOTIFY, in order, outside of every transaction. On SQLite there is
one process: it lives, leads, and has nobody to speak to.
"""

import asyncio
import contextlib
import json
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any, Protocol

import psycopg
import structlog
from sqlalchemy import make_url, text

from api.background import Keeper
from api.db import Database
from api.settings import Settings

log = structlog.get_logger()
CHANNEL = "gradus"
# Spaces of advisory locks ("grad", "grae"): one lock a living process, and one for the leader.
LIVING, LEADER = 0x67726164, 0x67726165
# PostgreSQL takes less than 8,000 bytes at once; what we say is ASCII.
PIECE = 7000
# How often the database's clock is looked at, and a difference of which an admin should know.
CLOCK_S = 5.0
SKEWED = timedelta(seconds=2)
# A machine that vanished shall not lead for the two hours that TCP would wait.
SETUP = (
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 2",
)
SAY = "SELECT pg_notify(%s, said) FROM unnest(%s::text[]) AS said"
ALIVE = """
    SELECT lpad(to_hex(objid::bigint), 8, '0') FROM pg_locks
    WHERE locktype = 'advisory' AND classid = :living AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
Heard = Callable[..., Awaitable[None]]
Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class Duty(Protocol):
    """Work in the background that one process at a time does."""

    def start(self) -> None:
        """Begin."""

    async def stop(self) -> None:
        """End."""


class Peers(Keeper):
    """This process among its peers. `mark` names it: eight hexadecimal digits, new with every start."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._together)
        self._url, self._poll_s, self._db = settings.database, settings.poll_s, db
        self._alone = make_url(self._url).get_backend_name() == "sqlite"
        self._number = secrets.randbelow(2**31)
        self.mark = f"{self._number:08x}"
        # Who is called with the sender's mark and the rest of what was said, by its first word.
        self.on_heard: dict[str, Heard] = {}
        # Called when something may have been missed.
        self.on_gap: Callable[[], None] = lambda: None
        self._duties: Sequence[Duty] = ()
        self._leads = False
        self._said: dict[str, None] = {}
        self._something = asyncio.Event()
        self._joined = asyncio.Event()
        self._joined_before = False
        self._told = 0

    async def join(self) -> None:
        """Be seen by the others. Raises `TimeoutError` when the database cannot be reached."""
        if not self._alone:
            self.start()
            async with asyncio.timeout(30):
                await self._joined.wait()

    async def lead(self, duties: Sequence[Duty]) -> None:
        """Do these while this process leads: from now on, or from when those who lead before it have ended."""
        self._duties = duties
        if self._alone or self._leads:
            _start(duties)

    async def leave(self) -> None:
        """End the duties, and be seen no more."""
        # Else it would take the lead again while its duties end one by one, and begin those anew that run still.
        await super().stop()
        await self._follow()

    async def alive(self) -> set[str]:
        """The marks of all processes that live, this one's among them."""
        if self._alone:
            return {self.mark}
        async with self._db.read() as session:
            return {self.mark, *await session.scalars(text(ALIVE), {"living": LIVING})}

    def tell(self, *words: Any) -> None:
        """Say something to the others, soon; saying it twice at once says it once. Nobody waits for it."""
        if self._joined.is_set():
            self._said[json.dumps(words)] = None
            self._something.set()

    async def _together(self) -> None:
        """From one loss of the connections to the next."""
        url = make_url(self._url).set(drivername="postgresql").render_as_string(hide_password=False)
        async with await _connect(url) as speaking, await _connect(url) as hearing:
            await speaking.execute("SELECT pg_advisory_lock(%s, %s)", (LIVING, self._number))
            await hearing.execute(f"LISTEN {CHANNEL}")
            await self._read_clock()
            self._joined.set()
            if self._joined_before:
                self._missed()
                self.tell("gap")
            self._joined_before = True
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._stay_on_time())
                    group.create_task(self._speak(speaking))
                    group.create_task(self._hear(hearing))
            finally:
                self._joined.clear()
                self._said.clear()
                await self._follow()
                with contextlib.suppress(psycopg.Error):
                    await speaking.execute("SELECT pg_advisory_unlock_all()")

    async def _stay_on_time(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_S)
            await self._read_clock()

    async def _read_clock(self) -> None:
        moved = await self._db.read_clock()
        if abs(moved) > SKEWED:
            log.warning("clock_moved", seconds=round(moved.total_seconds(), 1))

    async def _speak(self, connection: Connection) -> None:
        asked_at = -math.inf
        while True:
            if not self._leads and time.monotonic() - asked_at >= self._poll_s:
                asked_at = time.monotonic()
                asked = await connection.execute("SELECT pg_try_advisory_lock(%s, 0)", (LEADER,))
                if (await asked.fetchone()) == (True,):
                    self._leads = True
                    log.info("leads", mark=self.mark)
                    _start(self._duties)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll_s):
                    await self._something.wait()
            self._something.clear()
            said, self._said = self._said, {}
            await connection.execute(SAY, (CHANNEL, [piece for words in said for piece in self._pieces(words)]))

    def _pieces(self, words: str) -> list[str]:
        """As PostgreSQL carries them: who says it, a number that makes each one different, whether more follows."""
        pieces = []
        for first in range(0, len(words), PIECE):
            self._told += 1
            more = "+" if first + PIECE < len(words) else "."
            pieces.append(f"{self.mark} {self._told} {more}{words[first : first + PIECE]}")
        return pieces

    async def _hear(self, connection: Connection) -> None:
        begun: dict[str, str] = {}
        async for notice in connection.notifies():
            mark, _, said = notice.payload.split(" ", 2)
            if mark == self.mark:
                continue
            whole = begun.pop(mark, "") + said[1:]
            if said[0] == "+":
                begun[mark] = whole
            else:
                await self._heard(mark, whole)

    async def _heard(self, mark: str, said: str) -> None:
        try:
            kind, *words = json.loads(said)
            if kind == "gap":
                self._missed()
            elif kind in self.on_heard:
                await self.on_heard[kind](mark, *words)
        except Exception:
            # Of another version, perhaps: what follows must be heard all the same.
            log.exception("peer_not_understood", peer=mark)

    def _missed(self) -> None:
        log.warning("peers_missed", mark=self.mark)
        self.on_gap()

    async def _follow(self) -> None:
        """Lead no more; nothing happens to a duty that does not run."""
        self._leads = False
        for duty in self._duties:
            await duty.stop()


def _start(duties: Sequence[Duty]) -> None:
    for duty in duties:
        duty.start()


async def _connect(url: str) -> Connection:
    connection: Connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
    try:
        for statement in SETUP:
            await connection.execute(statement)
    except BaseException:
        # Whoever is told to end while he connects leaves nothing open.
        await connection.close()
        raise
    return connection
