"""Group commit for SQLite: writers take turns, and those that wait while one of them writes share its commit.

SQLite allows only one writer at a time, and each commit waits for the disk. On a machine that also starts containers, this can
take a tenth of a second. If hundreds of drafts were saved with one commit each, they would wait long. Instead, several writers
share a transaction, in which each has a savepoint. A writer can fail without affecting the others, and it returns only when
the shared commit is on disk.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession

# The writers that share a commit form a group. A group takes no further writer, and is committed, when it has MOST writers or
# when its first writer began more than LONGEST_S seconds ago.
MOST = 32
LONGEST_S = 0.02


@dataclass
class _Group:
    """An open transaction that several writers share. `kept` counts the writers that succeeded. `ended` is set when the
    transaction has been committed or has failed; in the second case, `error` is the reason.
    """

    connection: AsyncConnection
    began: float
    kept: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    error: BaseException | None = None


class GroupCommit:
    """Provides sessions for writing, one at a time. When a session's `async with` block has ended, its changes are on disk."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._group: _Group | None = None
        self._closing: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """Provide a session whose changes are committed at the end of the block, or not at all. If the commit fails, its error
        is raised at the end of the block.
        """
        await self._take_turn()
        try:
            group = self._group = self._group or await self._begun()
            # The first writer needs no savepoint, because it has the whole transaction until another writer joins.
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
            # Earlier writers may have relied on this writer to commit. It is cancelled, so a separate task commits if no other
            # writer does.
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
        """Called after a writer has failed. If the transaction contains no changes of other writers, end the group. This is so
        if no earlier writer succeeded, or if SQLite has rolled back the whole transaction, as it does when the disk is full.
        """
        if group.kept and await _is_open(group.connection):
            return
        self._group = None
        group.error = error
        group.ended.set()
        await group.connection.close()

    async def _end_if_due(self) -> None:
        """Commit the group, unless another writer is waiting and the limits allow it to join the group."""
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
            # Close the connection for good. Otherwise the pool would hand it out with the transaction still open.
            await group.connection.invalidate()
        finally:
            group.ended.set()
            await group.connection.close()


async def _is_open(connection: AsyncConnection) -> bool:
    """Ask the driver whether the transaction is still open. Trying to commit would not tell, because SQLAlchemy's commit raises
    no error if there is no transaction.
    """
    raw = await connection.get_raw_connection()
    return bool(raw.driver_connection is not None and raw.driver_connection.in_transaction)


async def _settled(work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work` to finish. If the caller is cancelled while it waits, raise CancelledError only after `work` has
    finished, because a half-finished transaction would block all writers.
    """
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
