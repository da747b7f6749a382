"""Tests in which thread SQLite statements run. Those that can wait for the disk run in another thread, and all others run in
the event loop's thread.
"""

import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import event, text

from api.kit.db.database import Database
from api.kit.db.prepared import Prepared

pytestmark = pytest.mark.anyio
ONE = Prepared(text("SELECT id FROM some WHERE id = 1"))


@pytest.fixture
async def worked(tmp_path: Path) -> AsyncIterator[tuple[Database, list[tuple[str, bool]]]]:
    """A database, and a list with an entry for each statement that it has run. An entry is the statement's first word, and
    whether the statement ran in the event loop's thread.
    """
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
    here, told = threading.get_ident(), list[tuple[str, bool]]()

    def trace(connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(lambda sql: told.append((sql.split()[0], threading.get_ident() == here)))

    def traced(connection: object, _record: object) -> None:
        trace(getattr(connection, "driver_connection")._conn)  # noqa: B009

    event.listen(database._engine.sync_engine, "connect", traced)
    async with database.write() as session:
        await session.execute(text("CREATE TABLE some (id INTEGER PRIMARY KEY)"))
    assert await database.look_up(ONE) == []
    assert database._look_ups is not None
    assert database._look_ups._connection is not None
    trace(database._look_ups._connection)
    told.clear()
    yield database, told
    await database.close()


async def test_a_writer_waits_in_the_thread_and_works_in_place(
    worked: tuple[Database, list[tuple[str, bool]]],
) -> None:
    database, told = worked
    async with database.write() as session:
        await session.execute(text("INSERT INTO some VALUES (1)"))
        await session.execute(text("SELECT id FROM some"))
    assert told == [("BEGIN", False), ("INSERT", True), ("SELECT", True), ("COMMIT", False)]


async def test_what_is_read_works_in_the_thread_unless_it_is_looked_up(
    worked: tuple[Database, list[tuple[str, bool]]],
) -> None:
    database, told = worked
    for _ in range(2):
        await database.look_up(ONE)
        async with database.read() as session:
            await session.execute(text("SELECT id FROM some"))
    assert told == [("SELECT", True), ("SELECT", False)] * 2


async def test_a_writer_that_fails_in_place_leaves_nothing(worked: tuple[Database, list[tuple[str, bool]]]) -> None:
    database, told = worked

    async def failing() -> None:
        async with database.write() as session:
            await session.execute(text("INSERT INTO some VALUES (2)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await failing()
    assert told[-1][0] == "ROLLBACK"
    async with database.read() as session:
        assert (await session.execute(text("SELECT count(*) FROM some"))).scalar_one() == 0
