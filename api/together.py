"""Group commit for SQLite: writers take turns, and those who wait while one writes are committed together with it.

A commit waits for the disk, which on a machine that starts containers can take a tenth of a second, and SQLite has one writer at
a time: hundreds of drafts that each wait for a commit of their own would queue behind the disk. Here each has a savepoint in a
transaction that is theirs together, fails for itself, and hears of its end only when all of them are on disk.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession

# So many, or so long after the first: whoever came first does not wait for all who come after.
MOST = 32
LONGEST_S = 0.02


@dataclass
class _Group:
    """A transaction that is open, and who waits for its end."""

    connection: AsyncConnection
    began: float
    kept: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    error: BaseException | None = None


class Together:
    """Gives out sessions, one at a time, whose changes are on disk when the block has ended."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._group: _Group | None = None
        self._closing: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """A session whose changes are kept at the end of the block, or not at all. Raises what the commit raises."""
        await self._take_turn()
        try:
            group = self._group = self._group or await self._begun()
            # Whoever is first has nobody to spare: the whole transaction is his until another joins.
            mode = "create_savepoint" if group.kept else "rollback_only"
            try:
                async with (
                    AsyncSession(group.connection, expire_on_commit=False, join_transaction_mode=mode) as session,
                    session.begin(),
                ):
                    yield session
                group.kept += 1
            except BaseException as error:
                await _settled(self._failed(group, error))
                raise
            finally:
                await _settled(self._end_if_due())
        finally:
            self._turn.release()
        await group.ended.wait()
        if group.error is not None:
            raise group.error

    async def _take_turn(self) -> None:
        self._waiting += 1
        try:
            await self._turn.acquire()
        except asyncio.CancelledError:
            # Others may have left their commit to this one.
            task = asyncio.create_task(self._end_if_nobody_does())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
            raise
        finally:
            self._waiting -= 1

    async def _end_if_nobody_does(self) -> None:
        async with self._turn:
            await self._end_if_due()

    async def _begun(self) -> _Group:
        connection = self._engine.connect()
        await connection.start()
        try:
            await connection.begin()
        except BaseException:
            await _settled(connection.close())
            raise
        return _Group(connection, asyncio.get_running_loop().time())

    async def _failed(self, group: _Group, error: BaseException) -> None:
        """End the group if nothing is left of it: its first was alone, or SQLite undid the whole (as a full disk makes it do)."""
        if group.kept and await _is_open(group.connection):
            return
        self._group = None
        group.error = error
        group.ended.set()
        await group.connection.close()

    async def _end_if_due(self) -> None:
        """Commit unless somebody waits who may still join."""
        group = self._group
        if group is None:
            return
        late = asyncio.get_running_loop().time() - group.began > LONGEST_S
        if self._waiting and group.kept < MOST and not late:
            return
        self._group = None
        try:
            await group.connection.commit()
        except BaseException as error:
            group.error = error
            await (
                group.connection.invalidate()
            )  # closed for good, or the pool would give it out with the transaction still open
        finally:
            group.ended.set()
            await group.connection.close()


async def _is_open(connection: AsyncConnection) -> bool:
    """Whether the transaction is still there: to commit none is no error in the driver."""
    raw = await connection.get_raw_connection()
    return bool(raw.driver_connection is not None and raw.driver_connection.in_transaction)


async def _settled(work: Coroutine[Any, Any, None]) -> None:
    """Wait for it even if whoever waits is cancelled: a transaction that is left half-ended would hold up everybody."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
