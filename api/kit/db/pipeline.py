"""Sends several statements to PostgreSQL in one round trip, because waiting for each response takes longer than the
statement itself.

In psycopg's pipeline mode, statements are sent one after the other without waiting for responses. They belong to the session's
transaction. Build each statement only once, for example as a module constant, because its SQL text is cached. The results are
plain rows, not ORM objects. SQLite has no network round trip to save, so there the statements run one by one.
"""

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.psycopg import dialect as psycopg_dialect
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql import ClauseElement

from api.kit.db.postgres import on_postgresql

Values = Mapping[str, Any]
# The names are passed in sorted order, so that two transactions that lock the same names cannot deadlock.
HOLD_ALL = "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(%(names)s::text[]) AS name"
DIALECT = psycopg_dialect()  # type: ignore[no-untyped-call]


async def rows_while_held(
    session: AsyncSession, names: Collection[str], queries: Sequence[tuple[Executable, Values]]
) -> list[Sequence[Any]]:
    """Lock these names until the transaction ends (see `database.hold`), run the queries, and return the rows of each query.
    All of this takes one round trip. On SQLite, nothing is locked, because only one writer runs at a time.
    """
    driver = await _driver(session)
    if driver is None:
        return [(await session.execute(query, values)).all() for query, values in queries]
    async with driver.pipeline():
        await driver.execute(HOLD_ALL, {"names": sorted(names)})
        found = [await driver.execute(_text(query), values) for query, values in queries]
    return [await each.fetchall() for each in found]


async def write(session: AsyncSession, steps: Sequence[tuple[Executable, Values]]) -> None:
    """Run statements that change rows, in this order, each with its values."""
    driver = await _driver(session)
    if driver is None:
        for statement, values in steps:
            await session.execute(statement, values)
        return
    async with driver.pipeline():
        for statement, values in steps:
            await driver.execute(_text(statement, *values), values)


async def _driver(session: AsyncSession) -> Any:
    """Return the psycopg connection of a session, or None if the session does not use PostgreSQL."""
    if not on_postgresql(session):
        return None
    return (await (await session.connection()).get_raw_connection()).driver_connection


@functools.cache
def _text(statement: ClauseElement, *names: str) -> str:
    """Return the SQL text of a statement in psycopg's dialect. For an INSERT, `names` are the columns that get a value."""
    return str(statement.compile(dialect=DIALECT, column_keys=names or None))
