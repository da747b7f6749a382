"""The database: engine, base class of the tables, and the kinds of transaction.

Use `read` for queries, and `look_up` to find rows by a key. `write` is a transaction that commits when the block ends. It must
be short, so the block should contain nothing but SQL. On SQLite, only one writer can run at a time; the others wait in memory,
in the order of their arrival. (SQLite itself would let them sleep and retry.) Writers that wait at the same time share a commit
(`group_commit.py`). Statements of frequent requests are prepared (`prepared.py`).
"""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import ColumnElement, DateTime, Dialect, MetaData, delete, event, make_url, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import QueuePool
from sqlalchemy.types import TypeDecorator

from api.kit.db.group_commit import GroupCommit
from api.kit.db.postgres import CONNECTING, READING, on_postgresql, ping_the_idle, require_usable
from api.kit.db.prepared import Prepared
from api.kit.db.sqlite import LookUps, connect
from api.kit.db.transient_errors import count_full

MIGRATIONS = Path(__file__).parents[2] / "migrations"
# A process keeps up to POOL connections to the database open. Under load, it opens up to OVERFLOW more, which are closed after
# use.
POOL, OVERFLOW = 16, 16
# `read_clock` moves `now` if it differs from the database's clock by at least this much. Smaller differences are ignored.
NOTICEABLE = timedelta(milliseconds=250)
# The patterns for the names of indexes and constraints.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
# `mapped_column(info=SECRET)` marks a column that is never exported, not even to the account that its row is about.
SECRET = {"secret": True}
# `mapped_column(info=ADDRESS)` marks an email address in a row that does not refer to an account. The row is personal data of
# the account that has this address.
ADDRESS = {"address": True}
# `mapped_column(info=AUTHOR)` marks the author of a row that is about another account. The row is part of the author's data
# export, but it is kept when the author's account is deleted.
AUTHOR = {"author": True}
# `mapped_column(info=OF_ANOTHER)` marks a reference to something that another account wrote, such as the comment that a vote is
# for. The row is deleted with it, but is no personal data of its writer.
OF_ANOTHER = {"of_another": True}
HOLD = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
SQLITE_SETUP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
)


class Table(DeclarativeBase):
    """Base class of every table."""

    metadata = MetaData(naming_convention=NAMES)


class Moment(TypeDecorator[datetime]):
    """A column type for points in time, always in UTC. SQLite stores no time zone, so this type adds it to values it reads."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value if value.tzinfo else value.replace(tzinfo=UTC))


def now() -> datetime:
    """Return the current time in UTC. It follows PostgreSQL's clock once `Database.read_clock` has run, and until then, or on
    SQLite, the clock of this machine.
    """
    return datetime.now(UTC) + _clock.ahead


@dataclass
class _Clock:
    """How far the database's clock is ahead of this machine's clock."""

    ahead: timedelta = timedelta()


_clock = _Clock()


class Database:
    """Provides database sessions for reading, for look-ups by key and for writing, and manages the database connection."""

    def __init__(self, url: str) -> None:
        self._sqlite = make_url(url).get_backend_name() == "sqlite"
        self._engine = _engine(url, sqlite=self._sqlite)
        self._writer = self._engine.execution_options(gradus_writes=True)
        self._reader = self._engine if self._sqlite else self._engine.execution_options(**READING)
        self._look_ups = LookUps(make_url(url).database or "") if self._sqlite else None
        self._group_commit = GroupCommit(self._writer) if self._sqlite else None

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Provide a session for reading. Each statement sees everything that was committed before the statement."""
        async with AsyncSession(self._reader, expire_on_commit=False) as session:
            yield session

    async def look_up(self, statement: Prepared, **values: Any) -> list[tuple[Any, ...]]:
        """Find rows by a key, outside of a transaction. On SQLite, the statement runs in the event loop, so it must be fast."""
        if self._look_ups is not None:
            return statement.converted(self._look_ups, await statement.execute(self._look_ups, values))
        async with self._reader.connect() as connection:
            return await statement.fetch(connection, values)

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Provide a session whose changes are committed at the end of the block, or not at all."""
        if self._group_commit is not None:
            async with self._group_commit.session() as session:
                yield session
        else:
            async with AsyncSession(self._writer, expire_on_commit=False) as session, session.begin():
                yield session

    @property
    def in_place(self) -> bool:
        """Whether the database runs in this process (SQLite), so that batching statements saves no network round trips."""
        return self._sqlite

    async def require_usable(self) -> None:
        """Raise `ConfigurationError`, with a message that says what to do, if the database server cannot be used. Does
        nothing on SQLite, which has no server.
        """
        if not self._sqlite:
            await require_usable(self._engine)

    async def migrate(self) -> None:
        """Migrate the tables to the newest version. If several processes start at the same moment, one of them migrates, and
        the others wait for it.
        """
        async with self._writer.begin() as connection:
            if not self._sqlite:
                await connection.execute(HOLD, {"name": "migrate"})
            await connection.run_sync(_upgrade)

    async def version(self) -> str:
        """Return the Alembic revision of the tables, or "" if there are no tables."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(lambda here: MigrationContext.configure(here).get_current_revision() or "")

    @functools.cached_property
    def newest(self) -> str:
        """The Alembic revision that this code needs."""
        return ScriptDirectory(str(MIGRATIONS)).get_current_head() or ""

    def connections(self) -> tuple[int, int]:
        """Return how many connections are in use, and how many may be open at most."""
        return cast(QueuePool, self._engine.pool).checkedout(), POOL + OVERFLOW

    async def answers(self) -> bool:
        """Return whether a trivial query succeeds within two seconds."""
        try:
            async with asyncio.timeout(2), self.read() as session:
                await session.execute(text("SELECT 1"))
        except Exception:
            return False
        return True

    async def read_clock(self) -> timedelta:
        """Read PostgreSQL's clock, and make `now` follow it. Returns by how much `now` has jumped. Small differences are
        ignored; the result is then zero.

        Processes on several machines share leases and deadlines. With its own clock, a process whose clock is minutes ahead
        would take over jobs that others are still working on. On SQLite, this does nothing, because there is only one process
        and one clock.
        """
        if self._sqlite:
            return timedelta()
        async with self.read() as session:
            sent = datetime.now(UTC)
            server_time: datetime = (await session.execute(text("SELECT clock_timestamp()"))).scalar_one()
            took = datetime.now(UTC) - sent
        ahead = server_time - (sent + took / 2)
        moved = ahead - _clock.ahead
        if abs(moved) < NOTICEABLE + took / 2:
            return timedelta()
        _clock.ahead = ahead
        return moved

    async def close(self) -> None:
        """Close all connections."""
        if self._look_ups is not None:
            self._look_ups.close()
        await self._engine.dispose()


def _engine(url: str, *, sqlite: bool) -> AsyncEngine:
    path = make_url(url).database
    if sqlite and path and path != ":memory:":
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    connecting = {"async_creator_fn": connect} if sqlite else CONNECTING
    # `hide_parameters`: errors are logged, and the log must not contain parameters such as a source or a password hash.
    common: dict[str, Any] = {
        "pool_size": POOL,
        "max_overflow": OVERFLOW,
        "hide_parameters": True,
        "connect_args": connecting,
    }
    engine = create_async_engine(url, **common)
    event.listen(engine.sync_engine, "handle_error", count_full)
    if sqlite:
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    else:
        ping_the_idle(engine.sync_engine)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # By default, the driver begins transactions itself: only before the first statement that changes rows, and never with BEGIN
    # IMMEDIATE. Without an isolation level, it begins none, so that `_begin_sqlite` can.
    connection.isolation_level = None
    cursor = connection.cursor()
    for statement in SQLITE_SETUP:
        cursor.execute(statement)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # Readers need no BEGIN: each of their statements sees its own snapshot.
    if connection.get_execution_options().get("gradus_writes", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def hold(session: AsyncSession, name: str) -> None:
    """Lock this name until the transaction ends. Other transactions that lock the same name wait. A transaction that counts
    rows and then adds one needs this, so that no other transaction can add a row in between.

    Does nothing on SQLite, where only one writer runs at a time.
    """
    if on_postgresql(session):
        await session.execute(HOLD, {"name": name})


async def delete_some(session: AsyncSession, table: Any, condition: ColumnElement[bool], most: int) -> int:
    """Delete rows that meet the condition, from a table that has an `id`. At most `most` rows are deleted, so that other
    writers do not wait long. Returns the number of deleted rows.
    """
    ids = select(table.id).where(condition).limit(most)
    return changed(await session.execute(delete(table).where(table.id.in_(ids))))


def changed(result: object) -> int:
    """Return the number of rows that an UPDATE or DELETE changed."""
    return cast(int, getattr(result, "rowcount"))  # noqa: B009  (typed only on cursor results)
