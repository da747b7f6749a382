"""A faster aiosqlite connection. A connection has a thread of its own, in which aiosqlite runs each call. This connection needs
one such handover to the thread per statement instead of four, and none inside a write transaction.

For each statement, SQLAlchemy opens a cursor, executes the statement, fetches the rows and closes the cursor. These four
handovers take longer than the SQL itself. With this module, one call does all of it: a POST needs 7 handovers instead of 41.
Fetching all rows at once costs nothing, because SQLAlchemy does so anyway.

Statements that may wait for the disk or for another process run in the thread: BEGIN IMMEDIATE, COMMIT, and queries outside of
a write transaction. A statement inside a write transaction takes microseconds, and all other writers would wait for its
handover. It therefore runs directly in the event loop, and so do look-ups by key (`LookUps`).
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable
from typing import Any

import aiosqlite


class FastCursor:
    """The part of aiosqlite's cursor interface that SQLAlchemy uses."""

    arraysize = 1

    def __init__(self, connection: "FastConnection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount, self.lastrowid = -1, 0

    async def __aenter__(self) -> "FastCursor":
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> "FastCursor":
        """Execute a statement and fetch all of its rows."""
        await self._connection.call(self._run, "execute", sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "FastCursor":
        """Execute a statement once for each set of parameters."""
        await self._connection.call(self._run, "executemany", sql, parameters)
        return self

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Does nothing: `execute` has already closed the real cursor."""

    def _run(self, connection: sqlite3.Connection, verb: str, sql: str, parameters: Any) -> None:
        cursor = connection.cursor()
        try:
            getattr(cursor, verb)(sql, parameters)
            self._rows = cursor.fetchall() if cursor.description else []
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid or 0
        finally:
            cursor.close()


class FastConnection(aiosqlite.Connection):
    """An aiosqlite connection that uses `FastCursor`. `rollback` does nothing if there is no transaction."""

    def cursor(self) -> FastCursor:  # type: ignore[override]
        """Return a cursor, without a call to the connection's thread."""
        return FastCursor(self)

    async def execute(self, sql: str, parameters: Any = ()) -> FastCursor:  # type: ignore[override]
        """Execute a statement, fetch all of its rows, and return the cursor."""
        return await FastCursor(self).execute(sql, parameters)

    async def call(self, function: Any, *arguments: Any) -> None:
        """Run a function with the underlying connection. If a transaction is open, run it directly, otherwise in the thread of
        the connection.
        """
        if self.in_transaction:
            function(self._conn, *arguments)
        else:
            await self._execute(function, self._conn, *arguments)  # type: ignore[no-untyped-call]

    async def rollback(self) -> None:
        """Roll back the transaction, if there is one."""
        if self.in_transaction:
            await super().rollback()


class LookUps:
    """A connection that only the event loop uses, for look-ups by key. They take less time than to take a connection from the
    pool. It is opened at the first look-up.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    async def execute(self, sql: str, parameters: Any) -> list[Any]:
        """Execute a query and return all of its rows."""
        if self._connection is None:
            self._connection = _opened(self._path, isolation_level=None)
        return self._connection.execute(sql, parameters).fetchall()

    def close(self) -> None:
        """Close the connection. The next look-up opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def connect(path: str, **more: Any) -> FastConnection:
    """Create a connection that is not open yet, for SQLAlchemy's `async_creator_fn`."""
    connection = FastConnection(lambda: _opened(path, **more), iter_chunk_size=64)
    # Use a daemon thread, because a connection left open at exit must not keep the process alive.
    connection._thread.daemon = True
    return connection


def _opened(path: str, **more: Any) -> sqlite3.Connection:
    """Open a database. If the file does not exist, it is created so that only this user can read it, because it will contain
    sources and password hashes.

    An existing file must be opened only by SQLite. If this function opened it too, closing it would release SQLite's locks.
    """
    if path != ":memory:":
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    # Two threads use the connection: its own and that of the event loop, but never at the same time. SQLite itself is compiled
    # to be thread-safe.
    connection: sqlite3.Connection = sqlite3.connect(path, **{**more, "check_same_thread": False})
    return connection
