"""All rows of one database into another one, and the counts of both compared: from SQLite to PostgreSQL, and back."""

from sqlalchemy import func, insert, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.schema import Table as SqlTable

from api.db import Database, Table
from api.upkeep.errors import UpkeepError

# Rows of a source or of a history of edits are large.
AT_ONCE = 200


async def copy(source: Database, target: Database) -> dict[str, int]:
    """Copy every row; returns how many each table has. All or nothing: until the end nobody sees any of it.

    `target` gets the newest tables. Raises `UpkeepError` when there is anything in it, or when the counts differ.
    """
    await source.migrate()
    await target.migrate()
    async with target.write() as writing, source.read() as reading:
        filled = [name for name, rows in (await counts(writing)).items() if rows]
        if filled:
            raise UpkeepError(f"the target is not empty ({', '.join(filled)} have rows); name an empty database.")
        for table in Table.metadata.sorted_tables:
            await _copy_table(reading, writing, table)
        before, after = await counts(reading), await counts(writing)
        if before != after:
            wrong = [f"{name} ({before[name]} and {after[name]})" for name in before if before[name] != after[name]]
            raise UpkeepError(
                f"the counts differ: {', '.join(wrong)}. Nothing was copied; stop the service, then try again."
            )
    return after


async def counts(session: AsyncSession) -> dict[str, int]:
    """Number of rows of every table."""
    return {
        table.name: await session.scalar(select(func.count()).select_from(table)) or 0
        for table in Table.metadata.sorted_tables
    }


async def _copy_table(reading: AsyncSession, writing: AsyncSession, table: SqlTable) -> None:
    """A page of rows at a time, in the order of the primary key: the driver for SQLite reads all of an answer at once."""
    key = tuple_(*table.primary_key)
    query = select(table).order_by(*table.primary_key).limit(AT_ONCE)
    page = (await reading.execute(query)).mappings().all()
    while page:
        await writing.execute(insert(table), [dict(row) for row in page])
        last = tuple_(*(literal(page[-1][column.name], column.type) for column in table.primary_key))
        page = (await reading.execute(query.where(key > last))).mappings().all()
