"""Tests transactions on SQLite. Either all changes of a transaction take effect or none, there is one writer at a time, and
readers never wait.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.judging.submissions.models import SubmissionSource
from api.kit.db.database import Database, now
from api.kit.ids import new_id
from tests.api.running_service import settings_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def db(home: Path) -> AsyncIterator[Database]:
    """A database whose tables are empty."""
    database = Database(settings_in(home, database_url="").database)
    await database.migrate()
    yield database
    await database.close()


def account(name: str) -> Account:
    return Account(id=new_id(), email=name, name=name, password_hash="", role="account", created_at=now())


async def count(session: AsyncSession) -> int:
    """Return the number of accounts in the database."""
    return await session.scalar(select(func.count()).select_from(Account)) or 0


async def test_failed_write_leaves_nothing(db: Database) -> None:
    async def fail() -> None:
        async with db.write() as session:
            session.add(account("a"))
            await session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    async with db.read() as session:
        assert await count(session) == 0


async def test_cancelled_write_leaves_nothing_and_lets_the_next_one_in(db: Database) -> None:
    async def hang() -> None:
        async with db.write() as session:
            session.add(account("a"))
            await session.flush()
            await asyncio.sleep(60)

    writing = asyncio.create_task(hang())
    await asyncio.sleep(0.1)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    async with asyncio.timeout(5), db.write() as session:
        session.add(account("b"))
    async with db.read() as session:
        assert list(await session.scalars(select(Account.name))) == ["b"]


async def test_writers_take_turns_and_readers_do_not_wait(db: Database) -> None:
    async def add(name: str) -> None:
        async with db.write() as session:
            before = await count(session)
            await asyncio.sleep(0.01)
            session.add(account(f"{name} {before}"))

    async with db.write() as session:
        session.add(account("first 0"))
        await session.flush()
        waiting = [asyncio.create_task(add(str(number))) for number in range(5)]
        async with asyncio.timeout(2), db.read() as other:
            assert await count(other) == 0, "what is not committed is not seen"
    await asyncio.gather(*waiting)
    async with db.read() as session:
        names = list(await session.scalars(select(Account.name).order_by(Account.id)))
    assert [name.split()[1] for name in names] == ["0", "1", "2", "3", "4", "5"]


async def test_references_must_exist(db: Database) -> None:
    with pytest.raises(IntegrityError):
        async with db.write() as session:
            session.add(SubmissionSource(submission_id="nowhere", source="", snippet=""))


async def test_moments_keep_their_zone_and_broken_sql_is_told(db: Database) -> None:
    moment = now()
    async with db.write() as session:
        session.add(Account(id="a", email="a", name="a", password_hash="", role="account", created_at=moment))
    async with db.read() as session:
        assert await session.scalar(select(Account.created_at)) == moment
        with pytest.raises(OperationalError, match="no such table"):
            await session.execute(text("SELECT * FROM nowhere"))


async def test_ids_sort_by_creation() -> None:
    ids = [new_id() for _ in range(1000)]
    assert ids == sorted(set(ids))


async def test_another_program_may_look_into_the_database_at_any_time(db: Database, home: Path) -> None:
    """Another program may open and close the database while the service writes to it. When the program closes its connection,
    SQLite must not treat it as the last connection and delete the WAL file, which the service still writes to.
    """
    path = settings_in(home, database_url="").database.partition("///")[2]
    look = (
        f"import sqlite3; c = sqlite3.connect({path!r}); print(*c.execute('SELECT count(*) FROM account')); c.close()"
    )
    for number in range(3):
        async with db.read() as session:
            await count(session)
            # The writer opens a connection while the reader uses another one.
            async with db.write() as writing:
                writing.add(account(str(number)))
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", look, stdout=asyncio.subprocess.PIPE)
        told, _ = await process.communicate()
        assert told.split() == [f"({number + 1},)".encode()]
        assert Path(f"{path}-wal").exists()
    async with db.read() as session:
        assert await count(session) == 3
