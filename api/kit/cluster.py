"""Coordinates the processes of this service that share a PostgreSQL database: which of them are alive, which one is the
leader, and messages between them.

Every living process holds an advisory lock of its own in PostgreSQL. The leader is the process that also holds one further
lock. PostgreSQL releases the locks of a process when its connection closes, so no process has to detect that another has died.
Messages are sent with LISTEN/NOTIFY, in order, outside of any transaction. On SQLite there is only one process: it is always
the leader, and it sends no messages.
"""

import asyncio
import contextlib
import itertools
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

from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause, pause_until
from api.settings import Settings

log = structlog.get_logger()
CHANNEL = "gradus"
# An advisory lock has two keys, which are numbers. These are values of the first key; in ASCII they spell "grad" and "grae".
# Every running process holds a lock whose first key is LIVING, and the leader also holds the lock whose first key is LEADER.
LIVING, LEADER = 0x67726164, 0x67726165
# Messages are split into pieces of this many characters (all ASCII), because PostgreSQL limits a NOTIFY payload to less
# than 8,000 bytes.
PIECE = 7000
# The database's clock is read every CLOCK_S seconds. If `now` jumps by more than SKEWED because of it, a warning is logged.
CLOCK_S = 5.0
SKEWED = timedelta(seconds=2)
# TCP keepalive settings of the cluster's connections. With the default of two hours, a leader whose machine lost power would
# remain the leader for that long.
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
Handler = Callable[..., Awaitable[None]]
Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class LeaderTask(Protocol):
    """Background work that only one process of the cluster runs, the leader."""

    def start(self) -> None:
        """Start the task."""

    async def stop(self) -> None:
        """Stop the task and wait until it has ended."""


class Cluster(SupervisedTask):
    """This process's membership in the cluster. `instance_id` is eight hexadecimal digits, chosen at random at each start."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._together)
        self._url, self._poll_s, self._db = settings.database, settings.poll_s, db
        self._alone = make_url(self._url).get_backend_name() == "sqlite"
        self._number = secrets.randbelow(2**31)
        self.instance_id = f"{self._number:08x}"
        # Maps the first word of a message to a handler, which is called with the sender's instance id and the message's other
        # words.
        self.handlers: dict[str, Handler] = {}
        # Called when messages from other processes may have been missed.
        self.on_gap: Callable[[], None] = lambda: None
        self._tasks: Sequence[LeaderTask] = ()
        self._leads = False
        self._outgoing: dict[str, None] = {}
        self._has_outgoing = asyncio.Event()
        self._joined = asyncio.Event()
        self._joined_before = False
        self._numbers = itertools.count(1)

    async def join(self) -> None:
        """Join the cluster. Raises `TimeoutError` if the database cannot be reached within 30 seconds."""
        if not self._alone:
            self.start()
            async with asyncio.timeout(30):
                await self._joined.wait()

    async def lead(self, tasks: Sequence[LeaderTask]) -> None:
        """Set the tasks that run while this process is the leader. If it is the leader now, they start immediately, otherwise
        when it becomes the leader.
        """
        self._tasks = tasks
        if self._alone or self._leads:
            _start(tasks)

    async def leave(self) -> None:
        """Stop the leader's tasks and leave the cluster."""
        # Stop the election loop first. Otherwise this process could become the leader again and restart the tasks.
        await super().stop()
        await self._follow()

    async def alive(self) -> set[str]:
        """Return the instance ids of all living processes, including this one."""
        if self._alone:
            return {self.instance_id}
        async with self._db.read() as session:
            return {self.instance_id, *await session.scalars(text(ALIVE), {"living": LIVING})}

    def broadcast(self, *words: Any) -> None:
        """Queue a message to the other processes and return without waiting. If an equal message is already in the queue, it is
        sent only once. While this process is not connected to PostgreSQL, messages are dropped. When it reconnects, all
        processes are notified that messages may have been lost.
        """
        if self._joined.is_set():
            self._outgoing[json.dumps(words)] = None
            self._has_outgoing.set()

    async def _together(self) -> None:
        """Join the cluster, then send and receive messages until a connection is lost."""
        url = make_url(self._url).set(drivername="postgresql").render_as_string(hide_password=False)
        async with await _connect(url) as speaking, await _connect(url) as hearing:
            await speaking.execute("SELECT pg_advisory_lock(%s, %s)", (LIVING, self._number))
            await hearing.execute(f"LISTEN {CHANNEL}")
            await self._read_clock()
            self._joined.set()
            if self._joined_before:
                self._on_gap()
                self.broadcast("gap")
            self._joined_before = True
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._follow_clock())
                    group.create_task(self._send_messages(speaking))
                    group.create_task(self._receive_messages(hearing))
            finally:
                self._joined.clear()
                self._outgoing.clear()
                await self._follow()
                with contextlib.suppress(psycopg.Error):
                    await speaking.execute("SELECT pg_advisory_unlock_all()")

    async def _follow_clock(self) -> None:
        while True:
            await pause(CLOCK_S)
            await self._read_clock()

    async def _read_clock(self) -> None:
        moved = await self._db.read_clock()
        if abs(moved) > SKEWED:
            log.warning("clock_moved", seconds=round(moved.total_seconds(), 1))

    async def _send_messages(self, connection: Connection) -> None:
        asked_at = -math.inf
        while True:
            if not self._leads and time.monotonic() - asked_at >= self._poll_s:
                asked_at = time.monotonic()
                locked = await connection.execute("SELECT pg_try_advisory_lock(%s, 0)", (LEADER,))
                if (await locked.fetchone()) == (True,):
                    self._leads = True
                    log.info("leads", instance_id=self.instance_id)
                    _start(self._tasks)
            await pause_until(self._has_outgoing, self._poll_s)
            outgoing, self._outgoing = self._outgoing, {}
            pieces = [
                f"{self.instance_id} {next(self._numbers)} {piece}" for words in outgoing for piece in _pieces(words)
            ]
            await connection.execute(SAY, (CHANNEL, pieces))

    async def _receive_messages(self, connection: Connection) -> None:
        begun: dict[str, str] = {}
        async for notice in connection.notifies():
            instance_id, _, text = notice.payload.split(" ", 2)
            if instance_id == self.instance_id:
                continue
            whole = begun.pop(instance_id, "") + text[1:]
            if text[0] == "+":
                begun[instance_id] = whole
            else:
                await self._handle(instance_id, whole)

    async def _handle(self, instance_id: str, text: str) -> None:
        try:
            kind, *words = json.loads(text)
            if kind == "gap":
                self._on_gap()
            elif kind in self.handlers:
                await self.handlers[kind](instance_id, *words)
        except Exception:
            # The sender may run another version of the service. Log the error, and continue with the next message.
            log.exception("peer_not_understood", peer=instance_id)

    def _on_gap(self) -> None:
        log.warning("peers_missed", instance_id=self.instance_id)
        self.on_gap()

    async def _follow(self) -> None:
        """Give up the leadership, and stop those of the leader's tasks that are running."""
        self._leads = False
        for task in self._tasks:
            await task.stop()


def _start(tasks: Sequence[LeaderTask]) -> None:
    for task in tasks:
        task.start()


def _pieces(words: str) -> list[str]:
    """Split a message into pieces that fit into a NOTIFY payload. The last piece starts with ".", all others with "+"."""
    pieces = [words[first : first + PIECE] for first in range(0, len(words), PIECE)]
    return [*(f"+{piece}" for piece in pieces[:-1]), f".{pieces[-1]}"]


async def _connect(url: str) -> Connection:
    connection: Connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
    try:
        for statement in SETUP:
            await connection.execute(statement)
    except BaseException:
        # Close the connection if the setup fails or is cancelled.
        await connection.close()
        raise
    return connection
