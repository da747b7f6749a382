"""Sends several statements to PostgreSQL in one round trip, because waiting for each response takes longer than the
statement itself.

In psycopg's pipeline mode, statements are sent one after the other without waiting for responses. They belong to the session's
transaction. Build each statement only once, for example as a module constant, because it is prepared (`prepared.py`). The
results are plain rows, not ORM objects. SQLite has no network round trip to save, so there the statements run one by one.
"""

import contextlib
from collections.abc import Collection, Sequence
from typing import Any

import psycopg
from sqlalchemy import ClauseElement, text
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.db.prepared import Values, driver_of, prepared

# The names are passed in sorted order, so that two transactions that lock the same names cannot deadlock.
HOLD_ALL = text("SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(CAST(:names AS text[])) AS name")


async def rows_while_held(
    session: AsyncSession, names: Collection[str], queries: Sequence[tuple[ClauseElement, Values]]
) -> list[Sequence[Any]]:
    """Lock these names until the transaction ends (see `database.hold`), run the queries, and return the rows of each query.
    All of this takes one round trip. On SQLite, nothing is locked, because only one writer runs at a time.
    """
    driver = driver_of(await session.connection())
    async with _one_trip(driver):
        if isinstance(driver, psycopg.AsyncConnection):
            await prepared(HOLD_ALL).execute(driver, {"names": sorted(names)})
        cursors = [await prepared(query).execute(driver, values) for query, values in queries]
    rows = [await cursor.fetchall() for cursor in cursors]
    return [prepared(query).converted(driver, found) for (query, _), found in zip(queries, rows, strict=True)]


async def write(session: AsyncSession, steps: Sequence[tuple[ClauseElement, Values]]) -> None:
    """Run statements that change rows, in this order, each with its values."""
    driver = driver_of(await session.connection())
    async with _one_trip(driver):
        for statement, values in steps:
            await prepared(statement, *values).execute(driver, values)


def _one_trip(driver: Any) -> contextlib.AbstractAsyncContextManager[Any]:
    return driver.pipeline() if isinstance(driver, psycopg.AsyncConnection) else contextlib.nullcontext()
