"""Several statements in one trip to PostgreSQL: waiting for each answer costs the service more than the statement does.

psycopg sends them one after the other without waiting (its pipeline mode), in the session's own transaction. Whoever needs this
has statements that are made once, and nothing to do with their objects. On SQLite there is no way to go, so they go one by one.
"""

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.psycopg import dialect as psycopg_dialect
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql import ClauseElement

from api.postgres import on_postgresql

Values = Mapping[str, Any]
# In this order: two who want the same names do not wait for each other.
HOLD_ALL = "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(%(names)s::text[]) AS name"
DIALECT = psycopg_dialect()  # type: ignore[no-untyped-call]


async def rows_while_held(
    session: AsyncSession, names: Collection[str], queries: Sequence[tuple[Executable, Values]]
) -> list[Sequence[Any]]:
    """The rows of each query, asked for when nobody else holds any of these names any more; they are held until the transaction
    ends. Like `db.hold` for each, and the queries after it.
    """
    driver = await _driver(session)
    if driver is None:
        return [(await session.execute(query, values)).all() for query, values in queries]
    async with driver.pipeline():
        await driver.execute(HOLD_ALL, {"names": sorted(names)})
        found = [await driver.execute(_text(query), values) for query, values in queries]
    return [await each.fetchall() for each in found]


async def write(session: AsyncSession, steps: Sequence[tuple[Executable, Values]]) -> None:
    """Statements that change something, in this order, each with all of its values."""
    driver = await _driver(session)
    if driver is None:
        for statement, values in steps:
            await session.execute(statement, values)
        return
    async with driver.pipeline():
        for statement, values in steps:
            await driver.execute(_text(statement, *values), values)


async def _driver(session: AsyncSession) -> Any:
    """psycopg's connection of a session on PostgreSQL, else None."""
    if not on_postgresql(session):
        return None
    return (await (await session.connection()).get_raw_connection()).driver_connection


@functools.cache
def _text(statement: ClauseElement, *names: str) -> str:
    """A statement as psycopg reads it; of an INSERT, for these columns."""
    return str(statement.compile(dialect=DIALECT, column_keys=names or None))
