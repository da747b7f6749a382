"""Tests several statements in one round trip to the database. They run in order, and either all of them take effect or none.
SQLite and PostgreSQL give the same result.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from api.judging.submissions.models import NodeDrain
from api.kit.db import pipeline
from api.kit.db.database import Database, now
from api.kit.ids import new_id
from tests.api.running_service import settings_in

pytestmark = pytest.mark.anyio
DRAINS = NodeDrain.metadata.tables["node_drain"]
ADD = insert(DRAINS)
COUNT = text("SELECT count(*), :told FROM node_drain")


@pytest.fixture
async def db(home: Path) -> AsyncIterator[Database]:
    """A database whose tables are empty."""
    database = Database(settings_in(home).database)
    await database.migrate()
    yield database
    await database.close()


def drain(name: str) -> dict[str, Any]:
    return {"name": name, "since": now()}


async def names(db: Database) -> list[str]:
    async with db.read() as session:
        return list(await session.scalars(select(NodeDrain.name).order_by(NodeDrain.name)))


async def test_who_counts_before_he_adds_is_alone_with_what_he_counts(db: Database) -> None:
    async def add() -> int:
        async with db.write() as session:
            [[(count, told)]] = await pipeline.rows_while_held(session, ["drains"], [(COUNT, {"told": "7"})])
            assert told == "7"
            await asyncio.sleep(0.02)
            await pipeline.write(session, [(ADD, drain(new_id()))])
        return int(count)

    assert sorted(await asyncio.gather(*(add() for _ in range(6)))) == [0, 1, 2, 3, 4, 5]


async def test_what_is_written_in_one_trip_is_written_in_order_and_all_or_none(db: Database) -> None:
    async def write(*written: str) -> None:
        async with db.write() as session:
            await pipeline.write(session, [(ADD, drain(name)) for name in written])
            assert await session.scalar(select(func.count()).select_from(NodeDrain))

    await write("one", "two")
    with pytest.raises((IntegrityError, psycopg.IntegrityError)):
        await write("three", "one", "four")
    assert await names(db) == ["one", "two"]
    async with db.write() as session:
        await pipeline.write(session, [(delete(DRAINS), {}), (ADD, drain("one"))])
    assert await names(db) == ["one"]
