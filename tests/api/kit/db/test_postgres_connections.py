"""Tests that the service sends few extra statements on a PostgreSQL connection. A reader opens no transaction, and a connection
is pinged before use only if it was idle.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from api.kit.db import postgres
from api.kit.db.database import Database
from tests.postgres import drop, empty_database

pytestmark = pytest.mark.anyio
BACKEND = text("SELECT pg_backend_pid()")


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    """A database on a real PostgreSQL server, even if the other tests use SQLite."""
    database = Database(empty_database(tmp_path))
    yield database
    await database.close()
    drop(tmp_path)


async def backend(db: Database) -> int:
    """Return the process id of the server process that serves the connection from the pool."""
    async with db.read() as session:
        return int((await session.execute(BACKEND)).scalar_one())


@pytest.fixture
def pings(db: Database, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A list that gets an entry for each ping of a connection. The entry says whether the ping succeeded."""
    made = list[bool]()
    dialect = db._engine.dialect
    real = dialect.do_ping

    def counted(connection: object) -> bool:
        made.append(False)
        made[-1] = real(connection)  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(dialect, "do_ping", counted)
    return made


async def test_a_reader_opens_no_transaction_and_a_writer_does(db: Database) -> None:
    fresh = text("SELECT now() = statement_timestamp()")
    async with db.read() as session:
        told = [(await session.execute(fresh)).scalar_one() for _ in range(2)]
    assert told == [True, True]
    async with db.write() as session:
        told = [(await session.execute(fresh)).scalar_one() for _ in range(2)]
    assert told == [False, False]
    async with db.read() as session:
        assert (await session.execute(text("SHOW transaction_isolation"))).scalar_one() == "read committed"


async def test_what_was_in_use_a_moment_ago_is_not_pinged(db: Database, pings: list[bool]) -> None:
    assert len({await backend(db) for _ in range(5)}) == 1
    assert pings == []


async def test_a_connection_that_was_cut_while_it_lay_idle_is_not_given_out(
    db: Database, pings: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PING_AFTER_S", 0.0)
    first = await backend(db)
    assert await backend(db) == first
    assert pings == [True]
    async with db.read() as one, db.read() as other:
        await one.execute(BACKEND)
        await other.execute(
            text("SELECT pg_terminate_backend(:pid)"), {"pid": (await one.execute(BACKEND)).scalar_one()}
        )
        await other.execute(text("SELECT pg_sleep(0.1)"))
    async with db.read() as one, db.read() as other:
        for session in (one, other):
            assert (await session.execute(text("SELECT 1"))).scalar_one() == 1
    assert False in pings
