"""A thriftier aiosqlite connection: one trip to its thread for a statement instead of four, and none inside a transaction.

SQLAlchemy opens a cursor, executes, fetches and closes: four handovers between threads, which cost more than the SQL
itself (a POST made 41 of them, now 7). All results are fetched at once, as SQLAlchemy does anyway.

What waits for the disk or for another process goes to the thread: BEGIN IMMEDIATE, COMMIT, and whatever is only read, which may
take long. A statement of a writer takes microseconds, and everybody else who wants to write waits for its handover: it is
executed at once; so is what is looked up by its key (`here`).
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable
from typing import Any

import aiosqlite


class ThriftyCursor:
    """What SQLAlchemy needs of an aiosqlite cursor."""

    arraysize = 1

    def __init__(self, connection: "ThriftyConnection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount, self.lastrowid = -1, 0

    async def __aenter__(self) -> "ThriftyCursor":
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> "ThriftyCursor":
        """Execute and fetch everything."""
        await self._connection.trip(self._run, "execute", sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "ThriftyCursor":
        """Execute once for each of the parameters."""
        await self._connection.trip(self._run, "executemany", sql, parameters)
        return self

    async def fetchall(self) -> list[Any]:
        """The rows that were fetched."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Nothing is open."""

    def _run(self, connection: sqlite3.Connection, verb: str, sql: str, parameters: Any) -> None:
        cursor = connection.cursor()
        try:
            getattr(cursor, verb)(sql, parameters)
            self._rows = cursor.fetchall() if cursor.description else []
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid or 0
        finally:
            cursor.close()


class ThriftyConnection(aiosqlite.Connection):
    """An aiosqlite connection with such cursors; it rolls back only what was begun. While `here`, nothing leaves this thread."""

    here = False

    def cursor(self) -> ThriftyCursor:  # type: ignore[override]
        """A cursor; nothing happens in the thread yet."""
        return ThriftyCursor(self)

    async def trip(self, function: Any, *arguments: Any) -> None:
        """Run a function with the real connection: here if a transaction is open or `here` is set, else in its thread."""
        if self.here or self.in_transaction:
            function(self._conn, *arguments)
        else:
            await self._execute(function, self._conn, *arguments)  # type: ignore[no-untyped-call]

    async def rollback(self) -> None:
        """Roll back, if there is a transaction."""
        if self.in_transaction:
            await super().rollback()


def connect(path: str, **more: Any) -> ThriftyConnection:
    """For SQLAlchemy's `async_creator_fn`: a connection that is not open yet."""
    connection = ThriftyConnection(lambda: _opened(path, **more), iter_chunk_size=64)
    # A thread that is still there at exit must not keep the process alive.
    connection._thread.daemon = True
    return connection


def _opened(path: str, **more: Any) -> sqlite3.Connection:
    """A new file is for this account of the machine only: it holds everybody's sources and password hashes.

    A file that exists must not be opened here: closing it again would give up the locks that SQLite holds on it.
    """
    if path != ":memory:":
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    # Its thread and ours take turns; SQLite itself is built to be shared.
    connection: sqlite3.Connection = sqlite3.connect(path, **{**more, "check_same_thread": False})
    return connection
