"""Copies all rows of a database into another one (SQLite or PostgreSQL), and compares the numbers of rows."""

from sqlalchemy import func, insert, inspect, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.schema import Table as SqlTable

from api.kit.db.database import Database
from api.kit.db.tables import tables
from api.ops.database.errors import UpkeepError

# The table in which Alembic stores the version of the tables. It is not copied, because each database has its own.
NOT_COPIED = {"alembic_version"}
# Number of rows that are read at once. It is low, because rows that contain a source or a history of edits are large.
AT_ONCE = 200


async def copy(source: Database, target: Database) -> dict[str, int]:
    """Copy all rows in one transaction, and return the number of rows of each table.

    The tables of both databases are upgraded to the newest version first. Raises `UpkeepError` if `target` is not empty, if
    one of the databases has tables that this program does not know, or if the numbers of rows differ.
    """
    await source.migrate()
    await target.migrate()
    async with target.write() as writing, source.read() as reading:
        for side, session in (("source", reading), ("target", writing)):
            if strange := await _unknown(session):
                raise UpkeepError(
                    f"the {side} has tables that this program does not know: {', '.join(strange)}. Nothing was copied. "
                    "Move these tables to another database, then try again."
                )
        filled = [name for name, rows in (await counts(writing)).items() if rows]
        if filled:
            raise UpkeepError(f"the target is not empty ({', '.join(filled)} have rows); name an empty database.")
        for table in tables():
            await _copy_table(reading, writing, table)
        before, after = await counts(reading), await counts(writing)
        if before != after:
            wrong = [f"{name} ({before[name]} and {after[name]})" for name in before if before[name] != after[name]]
            raise UpkeepError(
                f"the counts differ: {', '.join(wrong)}. Nothing was copied. Stop the service, then try again."
            )
    return after


async def counts(session: AsyncSession) -> dict[str, int]:
    """Return the number of rows of every table."""
    return {table.name: await session.scalar(select(func.count()).select_from(table)) or 0 for table in tables()}


async def _unknown(session: AsyncSession) -> list[str]:
    """Return the names of tables that exist in the database but would not be copied."""
    there = await session.run_sync(lambda here: inspect(here.connection()).get_table_names())
    return sorted(set(there) - {table.name for table in tables()} - NOT_COPIED)


async def _copy_table(reading: AsyncSession, writing: AsyncSession, table: SqlTable) -> None:
    """Copy the rows of a table page by page, in the order of the primary key. A single query for all rows would need too much
    memory, because the SQLite driver reads the whole result of a query at once.
    """
    key = tuple_(*table.primary_key)
    query = select(table).order_by(*table.primary_key).limit(AT_ONCE)
    page = (await reading.execute(query)).mappings().all()
    while page:
        await writing.execute(insert(table), [dict(row) for row in page])
        last = tuple_(*(literal(page[-1][column.name], column.type) for column in table.primary_key))
        page = (await reading.execute(query.where(key > last))).mappings().all()
