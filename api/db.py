"""The database: engine, base class of the tables, and the kinds of transaction.

`read` is for queries, `look_up` for what is found by its key. `write` is one short transaction that commits when the block ends:
nothing but SQL belongs in it. On SQLite writers of this process queue in memory (fair, and without the engine's sleeping
retries), and those who wait share a commit (`together.py`).
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

from api.postgres import CONNECTING, READING, on_postgresql, ping_the_idle, require_usable
from api.sqlite import ThriftyConnection, connect
from api.together import Together

MIGRATIONS = Path(__file__).parent / "migrations"
# What is opened beyond the first number is closed again after use.
POOL, OVERFLOW = 16, 16
# A smaller difference of clocks harms nobody.
NOTICEABLE = timedelta(milliseconds=250)
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
# Marks a column that is shown to nobody, not even to the account that its row is about.
SECRET = {"secret": True}
# Marks an e-mail address by which a row is about whoever owns that address, without a reference to an account.
ADDRESS = {"address": True}
# Marks a reference to whoever wrote a row about somebody else: it is in the writer's export, and stays when he leaves.
AUTHOR = {"author": True}
HOLD = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
SQLITE_SETUP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
)


class Table(DeclarativeBase):
    """Base of every table."""

    metadata = MetaData(naming_convention=NAMES)


class Moment(TypeDecorator[datetime]):
    """A point in time, UTC. SQLite forgets the zone; this gives it back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value if value.tzinfo else value.replace(tzinfo=UTC))


def now() -> datetime:
    """The present moment, UTC: by PostgreSQL's clock, as far as it was asked (`Database.read_clock`), else by this machine's."""
    return datetime.now(UTC) + _clock.ahead


@dataclass
class _Clock:
    """How far the database's clock is ahead of this machine's."""

    ahead: timedelta = timedelta()


_clock = _Clock()


class Database:
    """The engine with its two kinds of transaction."""

    def __init__(self, url: str) -> None:
        self._sqlite = make_url(url).get_backend_name() == "sqlite"
        self._engine = _engine(url, sqlite=self._sqlite)
        self._writer = self._engine.execution_options(gradus_writes=True)
        self._reader = self._engine if self._sqlite else self._engine.execution_options(**READING)
        self._looker = self._engine.execution_options(gradus_here=True) if self._sqlite else self._reader
        self._together = Together(self._writer) if self._sqlite else None

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """A session for reading. Each statement sees what was committed before it."""
        async with AsyncSession(self._reader, expire_on_commit=False) as session:
            yield session

    @contextlib.asynccontextmanager
    async def look_up(self) -> AsyncIterator[AsyncSession]:
        """A session for reading what is found by its key. On SQLite it is executed in place: nothing slow belongs in it."""
        async with AsyncSession(self._looker, expire_on_commit=False) as session:
            yield session

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """A session whose changes are committed at the end of the block, or not at all."""
        if self._together is not None:
            async with self._together.session() as session:
                yield session
        else:
            async with AsyncSession(self._writer, expire_on_commit=False) as session, session.begin():
                yield session

    @property
    def in_place(self) -> bool:
        """Whether this process does the database's work itself (SQLite), so that there is no trip to share with others."""
        return self._sqlite

    async def require_usable(self) -> None:
        """Raises `ConfigurationError`, with what to do, when a server stands in the way. SQLite has none."""
        if not self._sqlite:
            await require_usable(self._engine)

    async def migrate(self) -> None:
        """Bring the tables to the newest version. Of several processes that start at once, one does it."""
        async with self._writer.begin() as connection:
            if not self._sqlite:
                await connection.execute(HOLD, {"name": "migrate"})
            await connection.run_sync(_upgrade)

    async def version(self) -> str:
        """The version of the tables; empty when there are none."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(lambda here: MigrationContext.configure(here).get_current_revision() or "")

    @functools.cached_property
    def newest(self) -> str:
        """The version that this code has been written for."""
        return ScriptDirectory(str(MIGRATIONS)).get_current_head() or ""

    def connections(self) -> tuple[int, int]:
        """How many are in use, and how many may be."""
        return cast(QueuePool, self._engine.pool).checkedout(), POOL + OVERFLOW

    async def answers(self) -> bool:
        """Whether a trivial query succeeds within two seconds."""
        try:
            async with asyncio.timeout(2), self.read() as session:
                await session.execute(text("SELECT 1"))
        except Exception:
            return False
        return True

    async def read_clock(self) -> timedelta:
        """Go by PostgreSQL's clock from now on; returns by how much that moves `now`, which is nothing for a small difference.

        Processes on several machines share leases and deadlines: one whose clock is minutes ahead would take away what the
        others are at. On SQLite there is one process, and one clock.
        """
        if self._sqlite:
            return timedelta()
        async with self.read() as session:
            sent = datetime.now(UTC)
            told: datetime = (await session.execute(text("SELECT clock_timestamp()"))).scalar_one()
            took = datetime.now(UTC) - sent
        ahead = told - (sent + took / 2)
        moved = ahead - _clock.ahead
        if abs(moved) < NOTICEABLE + took / 2:
            return timedelta()
        _clock.ahead = ahead
        return moved

    async def close(self) -> None:
        """Give every connection back."""
        await self._engine.dispose()


def _engine(url: str, *, sqlite: bool) -> AsyncEngine:
    path = make_url(url).database
    if sqlite and path and path != ":memory:":
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    connecting = {"async_creator_fn": connect} if sqlite else CONNECTING
    # An error's text goes into the log, where parameters (a source, a hash) have no place.
    common: dict[str, Any] = {
        "pool_size": POOL,
        "max_overflow": OVERFLOW,
        "hide_parameters": True,
        "connect_args": connecting,
    }
    engine = create_async_engine(url, **common)
    if sqlite:
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    else:
        ping_the_idle(engine.sync_engine)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own transaction control would begin late and never IMMEDIATE; _begin_sqlite does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for statement in SQLITE_SETUP:
        cursor.execute(statement)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    cast(ThriftyConnection, connection.connection.driver_connection).here = options.get("gradus_here", False)
    # A reader needs no BEGIN: each of its statements sees a snapshot of its own.
    if options.get("gradus_writes", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def hold(session: AsyncSession, name: str) -> None:
    """Until the transaction ends nobody else holds this name: who counts before he adds is alone with what he counts.

    On SQLite that is so already, since writers take turns.
    """
    if on_postgresql(session):
        await session.execute(HOLD, {"name": name})


async def delete_some(session: AsyncSession, table: Any, condition: ColumnElement[bool], most: int) -> int:
    """Delete at most so many rows of a table with an `id`, so that no writer waits long; returns how many."""
    ids = select(table.id).where(condition).limit(most)
    return changed(await session.execute(delete(table).where(table.id.in_(ids))))


def changed(result: object) -> int:
    """Number of rows that an UPDATE or DELETE touched."""
    return cast(int, getattr(result, "rowcount"))  # noqa: B009  (typed only on cursor results)
