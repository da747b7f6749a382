"""Tests that SQLite and PostgreSQL answer queries about the queue from its partial index. PostgreSQL must use the index even if
its statistics say that the table is empty.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import ClauseElement, Select, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.intake import intake
from api.judging.queue import claims, order
from api.kit.db.database import Database
from api.kit.db.postgres import follow_indexes
from tests.postgres import database_of, drop

pytestmark = pytest.mark.anyio
# PostgreSQL can switch to a generic query plan, which does not depend on the parameters, once a prepared statement has been
# executed a few times. This setting forces the generic plan.
GENERIC = text("SET LOCAL plan_cache_mode = force_generic_plan")


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AsyncSession]:
    """A transaction on a real server whose statistics say that the tables are empty, so that the planner prefers a sequential
    scan.
    """
    database = Database(database_of(tmp_path))
    async with database.write() as session:
        await session.execute(text("ANALYZE"))
        await session.execute(GENERIC)
        yield session
    await database.close()
    drop(tmp_path)


async def plan_of(session: AsyncSession, query: Select[Any]) -> str:
    """Return the generic query plan of a statement."""
    names = list[str]()

    def numbered(found: re.Match[str]) -> str:
        names.append(found[1])
        return f"${len(names)}"

    statement = re.sub(r"%\((\w+)\)s", numbered, str(query.compile(dialect=psycopg.dialect())))  # type: ignore[no-untyped-call]
    await session.execute(text("PREPARE asked AS " + statement.replace(":", "\\:")))
    nothing = ", ".join("NULL" for _ in names)
    explained = await session.execute(text(f"EXPLAIN EXECUTE asked{f'({nothing})' if names else ''}"))
    return "\n".join(explained.scalars())


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("avoidable", [False, True])
async def test_a_claim_walks_along_the_queue_and_sorts_nothing(
    session: AsyncSession, avoidable: bool, short: bool
) -> None:
    await follow_indexes(session)
    plan = await plan_of(session, claims._queued(avoidable=avoidable, short=short))
    assert "Index Scan using ix_judging_queue" in plan
    assert "Sort" not in plan


@pytest.mark.parametrize(
    ("query", "step"),
    [
        pytest.param(intake.QUEUED, "SCAN judging USING INDEX ix_judging_queue", id="count"),
        pytest.param(order.WAITS._statement, "SEARCH judging USING INDEX ix_judging_queue (device=?)", id="waits"),
        pytest.param(
            order.BEFORE._statement,
            "SEARCH judging USING INDEX ix_judging_queue (device=? AND (rank_at,id)<(?,?))",
            id="place",
        ),
    ],
)
async def test_sqlite_walks_along_the_queue_and_sorts_nothing(tmp_path: Path, query: ClauseElement, step: str) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'gradus.db'}")
    await database.migrate()
    sql = str(query.compile(dialect=sqlite.dialect(paramstyle="named")))
    known = {"device": "cpu", "rank": "2026-01-01", "judging": "0"}
    async with database.read() as session:
        rows = await session.execute(text(f"EXPLAIN QUERY PLAN {sql}"), known)
    await database.close()
    plan = [row.detail for row in rows]
    assert step in plan
    assert not any("TEMP B-TREE" in each for each in plan)
