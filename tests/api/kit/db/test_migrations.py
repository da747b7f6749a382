"""Tests every migration on SQLite and on PostgreSQL. Each migration is undone and applied again while every table has a row."""

from collections.abc import AsyncIterator, Iterator
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
from sqlalchemy import Connection, func, inspect, select
from sqlalchemy.ext.asyncio import AsyncEngine

from api.kit.db import database as db
from api.kit.db.database import Database
from api.kit.db.tables import tables
from tests import postgres
from tests.api.every_table import fill

pytestmark = pytest.mark.anyio
# A rejudge of a team's own challenge also has rows in these tables. Undoing the migration that added the table own_rejudge
# deletes these rows.
GO = {"rejudge", "rejudge_item"}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'gradus.db'}"
        return
    yield postgres.empty_database(tmp_path)
    postgres.drop(tmp_path)


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    """The SQLAlchemy engine with which the service writes. All tables of its database exist."""
    database = Database(url)
    await database.migrate()
    yield database._writer
    await database.close()


def rows(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each existing table."""
    there = set(inspect(connection).get_table_names())
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in tables()
        if table.name in there
    }


def go(connection: Connection, *, revision: str, up: bool) -> None:
    config = Config()
    config.set_main_option("script_location", str(db.MIGRATIONS))
    config.attributes["connection"] = connection
    (command.upgrade if up else command.downgrade)(config, revision)


def differences(connection: Connection) -> list[Any]:
    """Return the differences between the tables in the database and those in the code."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    found: list[Any] = compare_metadata(context, db.Table.metadata)
    return found


def revisions() -> list[str]:
    """Return all revisions, newest first."""
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
