"""Tests group commit on SQLite. Writers that wait at the same time are committed together, and return only when their data is
on disk. A writer that fails is rolled back alone. If the commit fails, all writers in it fail.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError, OperationalError

from api.kit.db import group_commit
from api.kit.db.database import Database
from tests.api.running_service import settings_in

pytestmark = pytest.mark.anyio


class Rig:
    """A database with one table, and the number of its commits."""

    def __init__(self, db: Database) -> None:
        self.db, self.commits = db, 0
        event.listen(db._engine.sync_engine, "commit", self._committed)

    def _committed(self, _connection: object) -> None:
        self.commits += 1

    async def put(self, name: str, until: asyncio.Event | None = None) -> None:
        """Write a row in a transaction that lasts until the event is set. No other writer can continue before then."""
        async with self.db.write() as session:
            await session.execute(text("INSERT INTO things VALUES (:name)"), {"name": name})
            if until is not None:
                await until.wait()

    async def names(self) -> list[str]:
        """Return the names that a reader sees."""
        async with self.db.read() as session:
            return list(await session.scalars(text("SELECT name FROM things ORDER BY name")))


@pytest.fixture
async def rig(home: Path) -> AsyncIterator[Rig]:
    database = Database(settings_in(home, database_url="").database)
    async with database.write() as session:
        await session.execute(text("CREATE TABLE things (name TEXT PRIMARY KEY)"))
    yield Rig(database)
    await database.close()


async def started(*tasks: asyncio.Task[None]) -> None:
    """Let these writers run until they wait for their turn. Fail if one of them finishes."""
    for _ in range(20):
        await asyncio.sleep(0.005)
    assert not any(task.done() for task in tasks)


def running(*work: object) -> list[asyncio.Task[None]]:
    return [asyncio.ensure_future(one) for one in work]  # type: ignore[call-overload]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "LONGEST_S", 60.0)


async def test_who_waits_is_committed_together_and_told_only_then(rig: Rig) -> None:
    first, last = asyncio.Event(), asyncio.Event()
    tasks = running(rig.put("a", first), *(rig.put(f"b{n}") for n in range(8)), rig.put("c", last))
    await started(*tasks)
    first.set()
    await started(*tasks)
    assert await rig.names() == []
    last.set()
    await asyncio.gather(*tasks)
    assert len(await rig.names()) == 10
    assert rig.commits == 1


async def test_each_fails_for_itself(rig: Rig) -> None:
    first = asyncio.Event()
    tasks = running(rig.put("a", first), rig.put("b"), rig.put("b"), rig.put("a"), rig.put("c"))
    await started(*tasks)
    first.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [type(None), type(None), IntegrityError, IntegrityError, type(None)]
    assert await rig.names() == ["a", "b", "c"]


async def test_the_first_that_fails_takes_nobody_with_it(rig: Rig) -> None:
    await rig.put("a")
    first = asyncio.Event()

    async def failing() -> None:
        async with rig.db.write() as session:
            await session.execute(text("INSERT INTO things VALUES ('lost')"))
            await first.wait()
            raise RuntimeError("mine")

    tasks = running(failing(), rig.put("b"), rig.put("c"))
    await started(*tasks)
    first.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [RuntimeError, type(None), type(None)]
    assert await rig.names() == ["a", "b", "c"]


async def test_who_gives_up_while_waiting_leaves_the_others_committed(rig: Rig) -> None:
    first = asyncio.Event()
    kept, gone = running(rig.put("a", first), rig.put("b"))
    await started(kept, gone)
    first.set()
    gone.cancel()
    async with asyncio.timeout(10):
        await kept
    assert gone.cancelled() or (await asyncio.gather(gone, return_exceptions=True))
    assert await rig.names() == ["a"]
    await rig.put("c")


async def test_who_is_cancelled_in_his_turn_takes_back_only_his_own(rig: Rig) -> None:
    first, never = asyncio.Event(), asyncio.Event()
    tasks = running(rig.put("a", first), rig.put("b", never), rig.put("c"))
    await started(*tasks)
    first.set()
    await started(*tasks)
    tasks[1].cancel()
    async with asyncio.timeout(10):
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [type(None), asyncio.CancelledError, type(None)]
    assert await rig.names() == ["a", "c"]


async def test_a_commit_that_fails_is_told_to_everybody(rig: Rig) -> None:
    async with rig.db.write() as session:
        await session.execute(text("CREATE TABLE parents (id INTEGER PRIMARY KEY)"))
        await session.execute(
            text("CREATE TABLE children (id INTEGER REFERENCES parents(id) DEFERRABLE INITIALLY DEFERRED)")
        )
    first = asyncio.Event()

    async def orphan() -> None:
        async with rig.db.write() as session:
            await session.execute(text("INSERT INTO children VALUES (7)"))  # this fails only at the commit

    tasks = running(rig.put("a", first), orphan(), rig.put("b"))
    await started(*tasks)
    first.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(end) for end in ends] == [IntegrityError] * 3
    assert await rig.names() == []
    await rig.put("c")
    assert await rig.names() == ["c"]


async def test_nobody_is_told_that_what_a_full_disk_undid_is_kept(rig: Rig) -> None:
    first = asyncio.Event()

    async def undoing() -> None:
        async with rig.db.write() as session:
            await session.execute(text("ROLLBACK"))  # SQLite rolls back by itself when the disk is full
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    tasks = running(rig.put("a", first), undoing(), rig.put("b"))
    await started(*tasks)
    first.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ends[0], OperationalError)
    assert isinstance(ends[1], Exception)
    assert ends[2] is None
    assert await rig.names() == ["b"]


@pytest.mark.parametrize(("most", "longest"), [(2, 60.0), (1000, 0.0)])
async def test_whoever_came_first_does_not_wait_for_all(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, most: int, longest: float
) -> None:
    monkeypatch.setattr(group_commit, "MOST", most)
    monkeypatch.setattr(group_commit, "LONGEST_S", longest)
    first = asyncio.Event()
    tasks = running(rig.put("a", first), *(rig.put(f"b{n}") for n in range(5)))
    await started(*tasks)
    first.set()
    await asyncio.gather(*tasks)
    assert rig.commits == (3 if most == 2 else 6)
