"""Every step of the tables, down and up again, with a row in each of them: on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, Column, Connection, Float, Integer, String, Table, func, insert, inspect, select
from sqlalchemy.ext.asyncio import AsyncEngine

from api import db
from api.app import create_app
from api.db import Database, Moment
from tests import postgres

pytestmark = pytest.mark.anyio
MOMENT = datetime(2026, 11, 22, 8, 15, tzinfo=UTC)
# Whoever can make the app has seen every table.
assert callable(create_app)
TABLES = db.Table.metadata.sorted_tables
# Rejudges of teams' own challenges are rows of these, and go with what makes them a team's.
GO = {"rejudge", "rejudge_item"}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'gradus.db'}"
        return
    yield postgres.empty_database(tmp_path)
    postgres.drop(tmp_path)


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    """The service's own, for writing, with all tables made."""
    database = Database(url)
    await database.migrate()
    yield database._writer
    await database.close()


def value_of(column: Column[Any], table: Table) -> Any:
    """What a row of the fullest kind has in a column; rows refer to each other by having the same id."""
    kind = column.type
    if isinstance(kind, Moment):
        return MOMENT
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, Float | Integer):
        return 1
    assert isinstance(kind, String), (table.name, column.name)
    if column.name == "id" or column.foreign_keys:
        return "1" * 8
    return "a"


def fill(connection: Connection) -> None:
    """A row in every table."""
    for table in TABLES:
        connection.execute(insert(table), {column.name: value_of(column, table) for column in table.columns})


def rows(connection: Connection) -> dict[str, int]:
    """How many rows each table has that is there."""
    there = set(inspect(connection).get_table_names())
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in TABLES
        if table.name in there
    }


def go(connection: Connection, *, revision: str, up: bool) -> None:
    config = Config()
    config.set_main_option("script_location", str(db.MIGRATIONS))
    config.attributes["connection"] = connection
    (command.upgrade if up else command.downgrade)(config, revision)


def differences(connection: Connection) -> list[Any]:
    """Where the tables are not what the code describes."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    found: list[Any] = compare_metadata(context, db.Table.metadata)
    return found


def revisions() -> list[str]:
    """From the newest to the oldest."""
    config = Config()
    config.set_main_option("script_location", str(db.MIGRATIONS))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]


async def test_every_step_goes_down_and_up_with_rows_in_the_tables(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(fill)
        before = await connection.run_sync(rows)
    assert set(before.values()) == {1}
    for newer, revision in pairwise(revisions()):
        for target, up in ((revision, False), (newer, True), (revision, False)):
            async with engine.begin() as connection:
                await connection.run_sync(partial(go, revision=target, up=up))
                left = await connection.run_sync(rows)
        kept = {table: count for table, count in left.items() if table not in GO}
        assert kept.items() <= before.items(), f"what stays keeps its rows at {revision}"
        assert {"account", "submission", "judging"} <= left.keys()
    async with engine.begin() as connection:
        await connection.run_sync(partial(go, revision="base", up=False))
        assert await connection.run_sync(rows) == {}
    async with engine.begin() as connection:
        await connection.run_sync(partial(go, revision="head", up=True))
        assert await connection.run_sync(differences) == []
        await connection.run_sync(fill)
